import { errorTexts, notFound, type PublicProfile, type User } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { PresenceStatuses } from "@parley/presence";
import { findLivingAccounts, getAccount, updateProfile } from "./repository.js";
import { toPublicProfile, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";

export function createUserService(options: { database: Database; presence: PresenceStatuses }) {
  const { database, presence } = options;
  return {
    /** The caller's own account. */
    async own(userId: string): Promise<User> {
      return toUser(await getAccount(database, userId));
    },

    /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
    async update(userId: string, { status, custom_status, activity, ...profile }: UpdateUser): Promise<User> {
      if (status !== undefined || custom_status !== undefined || activity !== undefined) {
        await presence.setStatus(userId, { status, custom_status, activity });
      }
      return toUser(await updateProfile(database, userId, profile));
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
