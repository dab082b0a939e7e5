import { createEvent, errorTexts, notFound, type PublicProfile, type User } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { PresenceStatuses } from "@parley/presence";
import { noteMemberChange } from "../../background-work/member-announcements/repository.js";
import { findLivingAccounts, getAccount, updateProfile } from "./repository.js";
import { toPublicProfile, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";

export function createUserService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  presence: PresenceStatuses;
}) {
  const { database, outbox, presence } = options;
  return {
    /** The caller's own account. */
    async own(userId: string): Promise<User> {
      return toUser(await getAccount(database, userId));
    },

    /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
    async update(userId: string, changes: UpdateUser): Promise<User> {
      if (Object.values(changes).every((value) => value === undefined))
        return toUser(await getAccount(database, userId));
      const { status, custom_status, activity, ...profile } = changes;
      if (status !== undefined || custom_status !== undefined || activity !== undefined) {
        await presence.setStatus(userId, { status, custom_status, activity });
      }
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        const before = await getAccount(transaction, userId);
        const account = await updateProfile(transaction, userId, profile);
        if (account.avatar_url !== before.avatar_url) await noteMemberChange(transaction, userId);
        const user = toUser(account);
        emit(createEvent("USER_UPDATE", { user_id: userId }, user));
        return user;
      });
    },

    /** The public fields of an account. */
    async profile(userId: string): Promise<PublicProfile> {
      const [account] = await findLivingAccounts(database, [userId]);
      if (account === undefined) throw notFound(errorTexts.user_not_found);
      return toPublicProfile(account);
    },
  };
}

export type UserService = ReturnType<typeof createUserService>;
