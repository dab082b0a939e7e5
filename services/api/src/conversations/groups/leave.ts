import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { findGroups } from "../direct-messages/participants-repository.js";
import type { GroupRow } from "../direct-messages/resource.js";
import { emitGroup, emitLeave } from "./announce.js";
import { findGroupsOf, lockGroup, removeFromGroup } from "./repository.js";

/** Removes a member from a group and notifies everybody in it. */
export async function leaveGroup(
  { transaction, emit }: { transaction: Transaction; emit: Emit },
  group: GroupRow,
  userId: string,
): Promise<void> {
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
        await lockGroup(transaction, id);
        const [group] = await findGroups(transaction, [id]);
        if (group?.members.includes(userId)) await leaveGroup({ transaction, emit }, group, userId);
      });
    }
  };
}
