import { createEvent, type User } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { noteMemberChange } from "../member-announcements/repository.js";
import { getAccount, type ProfileChanges, updateProfile } from "./repository.js";
import type { AccountRow } from "./resource.js";
import { toUser } from "./resource.js";

/**
 * Changes the profile of an account and announces it: USER_UPDATE to the account, and, for another picture or name,
 * MEMBER_UPDATE to its servers.
 *
 * @param decide returns the changes, given the account before
 */
export type ChangeProfile = (
  userId: string,
  decide: (transaction: Transaction, before: AccountRow) => Promise<ProfileChanges>,
) => Promise<User>;

export function createChangeProfile({ outbox }: { outbox: Outbox<Transaction> }): ChangeProfile {
  return (userId, decide) =>
    outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      const before = await getAccount(transaction, userId);
      const account = await updateProfile(transaction, userId, await decide(transaction, before));
      const isShownOtherwise = account.avatar_url !== before.avatar_url || account.display_name !== before.display_name;
      if (isShownOtherwise) await noteMemberChange(transaction, userId);
      const user = toUser(account);
      emit(createEvent("USER_UPDATE", { user_id: userId }, user));
      return user;
    });
}
