import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { findAccounts } from "../../people/users/repository.js";
import { type GroupRow, toGroupChannel } from "../direct-messages/resource.js";

/** Sends the group's present state to all its members: to new ones as a new channel. */
export async function emitGroup(
  { transaction, emit }: { transaction: Transaction; emit: Emit },
  group: GroupRow,
  came: readonly string[] = [],
): Promise<void> {
  const accounts = await findAccounts(transaction, group.members);
  for (const user_id of group.members) {
    const channel = toGroupChannel(group, accounts, user_id);
    if (channel === null) continue;
    const name = came.includes(user_id) ? "DM_CHANNEL_CREATE" : "DM_CHANNEL_UPDATE";
    emit(createEvent(name, { user_id }, channel, { order_key: group.id, version: 2 }));
  }
}

/** Notifies the members of a group, and the user who left it. */
export function emitLeave(emit: Emit, group: GroupRow, userId: string): void {
  for (const user_id of group.members) {
    const left = { channel_id: group.id, user_id: userId };
    emit(createEvent("DM_CHANNEL_LEAVE", { user_id }, left, { order_key: group.id }));
  }
}
