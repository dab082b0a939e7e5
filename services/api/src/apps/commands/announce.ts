import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { deleteCommands, findServersOfBot } from "./repository.js";

/**
 * Tells all servers of a bot that its commands changed, in the caller's transaction. The events say no more than that they are
 * to be read again, so they need no order among themselves: each comes after a commit, and who reads after the last one has all.
 *
 * @param routing what the transaction is ordered with
 */
export async function announceCommands(
  transaction: Transaction,
  emit: Emit,
  botUserId: string,
  routing: { order_key?: string } = {},
): Promise<void> {
  for (const server_id of await findServersOfBot(transaction, botUserId)) {
    emit(createEvent("COMMANDS_UPDATE", { server_id }, { server_id, bot_user_id: botUserId }, routing));
  }
}

/** Removes the commands of bots that are revoked in the caller's transaction, and tells their servers. */
export async function removeCommands(
  transaction: Transaction,
  emit: Emit,
  botUserIds: readonly string[],
  routing: { order_key?: string } = {},
): Promise<void> {
  for (const id of await deleteCommands(transaction, botUserIds))
    await announceCommands(transaction, emit, id, routing);
}
