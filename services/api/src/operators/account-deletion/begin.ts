import { createEvent, errorTexts, invalidInput } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import { endAllSessions } from "../../accounts/auth/repository.js";
import { endPasswordResets } from "../../accounts/password-reset/repository.js";
import { removeCommands } from "../../apps/commands/announce.js";
import { deleteFriends } from "../../people/friends/repository.js";
import { findAccounts } from "../../people/users/repository.js";
import { toPublicProfile } from "../../people/users/resource.js";
import { beginDeletion, ownsServer } from "./repository.js";

/**
 * Disables an account in the caller's transaction: from the commit on, its sessions have ended, its personal data is
 * deleted, and its name is replaced. Its other rows are deleted later, by `AccountDeletion.finish`.
 *
 * @param emit of a transaction that is ordered with the events of the account
 * @throws ServiceError 400 while the account owns servers, 401 when its deletion has begun already
 */
export async function beginAccountDeletion(transaction: Transaction, emit: Emit, userId: string): Promise<void> {
  await lockAccount(transaction, userId);
  if (await ownsServer(transaction, userId)) throw invalidInput(errorTexts.account_owns_servers);
  await endPasswordResets(transaction, userId);
  const ordered = { order_key: userId };
  const friends = await deleteFriends(transaction, userId);
  const ended = await beginDeletion(transaction, userId);
  await removeCommands(transaction, emit, [...ended], ordered);
  for (const user_id of ended) {
    await endAllSessions(transaction, user_id);
    emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }, ordered));
  }
  const [account] = await findAccounts(transaction, [userId]);
  if (account === undefined) return;
  const gone = { user: toPublicProfile(account), state: "none" } as const;
  for (const user_id of friends) emit(createEvent("FRIEND_UPDATE", { user_id }, gone, ordered));
}
