import { createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { findAccounts } from "../../people/users/repository.js";
import { requireParticipants } from "../direct-messages/participants-repository.js";
import { type GroupRow, toGroupChannel } from "../direct-messages/resource.js";
import { lockGroup } from "./repository.js";

/** What a change of a group runs in. */
export interface GroupChange {
  transaction: Transaction;
  emit: Emit;
  /** As it is before the change; nobody else changes it. */
  group: GroupRow;
}

/**
 * Changes a group, ordered with everything that happens in it: over all processes, changes and messages follow each other.
 *
 * @param userId somebody in it
 * @throws ServiceError 404 for others, 400 for the channel of two
 */
export type ChangeGroup = <T>(
  channelId: string,
  userId: string,
  work: (change: GroupChange) => Promise<T>,
) => Promise<T>;

/** Creates {@link ChangeGroup}. */
export function createChangeGroup({ outbox }: { outbox: Outbox<Transaction> }): ChangeGroup {
  return (channelId, userId, work) =>
    outbox.transaction([{ dm_channel_id: channelId }], async (transaction, emit) => {
      const group = await lockGroup(transaction, channelId);
      if (group === null) await requireInGroup(transaction, channelId, userId);
      if (group === null || !group.members.includes(userId)) throw notFound(errorTexts.dm_channel_not_found);
      return work({ transaction, emit, group });
    });
}

/** @throws ServiceError 404 for who is not in the channel, 400 for the channel of two */
export async function requireInGroup(connection: Queryable, channelId: string, userId: string): Promise<void> {
  const { isGroup } = await requireParticipants(connection, channelId, userId);
  if (!isGroup) throw invalidInput(errorTexts.not_a_group);
}

/** Tells everybody in a group how it is now: those who came as of a new channel. */
export async function emitGroup(
  { transaction, emit }: Pick<GroupChange, "transaction" | "emit">,
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

/** Tells everybody in a group, and who left it, that they did. */
export function emitLeave(emit: Emit, group: GroupRow, userId: string): void {
  for (const user_id of group.members) {
    const left = { channel_id: group.id, user_id: userId };
    emit(createEvent("DM_CHANNEL_LEAVE", { user_id }, left, { order_key: group.id }));
  }
}
