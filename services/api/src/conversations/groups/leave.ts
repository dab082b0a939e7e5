import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { emitGroup, emitLeave, type GroupChange } from "./change.js";
import { findGroupsOf, lockGroup, removeFromGroup } from "./repository.js";

/** Takes somebody out of a group who is in it, and tells all. */
export async function leaveGroup({ transaction, emit, group }: GroupChange, userId: string): Promise<void> {
  await removeFromGroup(transaction, group.id, userId);
  emitLeave(emit, group, userId);
  await emitGroup({ transaction, emit }, { ...group, members: group.members.filter((id) => id !== userId) });
}

/** Takes an account that is being deleted out of its groups. It can be repeated. */
export type LeaveGroups = (userId: string) => Promise<void>;

/** Creates {@link LeaveGroups}. */
export function createLeaveGroups(options: { database: Database; outbox: Outbox<Transaction> }): LeaveGroups {
  const { database, outbox } = options;
  return async (userId) => {
    for (const id of await findGroupsOf(database, userId)) {
      await outbox.transaction([{ dm_channel_id: id }], async (transaction, emit) => {
        const group = await lockGroup(transaction, id);
        if (group?.members.includes(userId)) await leaveGroup({ transaction, emit, group }, userId);
      });
    }
  };
}
