import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { deleteCommands, findServersOfBot } from "./repository.js";

/**
 * Notifies all servers of a bot that its commands changed, in the caller's transaction. The events only ask clients to
 * read the commands again, so they need no order among themselves: each comes after a commit, and a client that reads
 * after the last one has all changes.
 *
 * @param routing the order of the transaction
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

/** Removes the commands of bots that the caller's transaction revokes, and notifies their servers. */
export async function removeCommands(
  transaction: Transaction,
  emit: Emit,
  botUserIds: readonly string[],
  routing: { order_key?: string } = {},
): Promise<void> {
  for (const id of await deleteCommands(transaction, botUserIds))
    await announceCommands(transaction, emit, id, routing);
}
