import { createEvent } from "@parley/contracts";
import { defineStatement, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";

/**
 * Unpins as well: a deleted message is in no list of pins. Its scheduled event is deleted by a trigger after the rows
 * are returned.
 */
const deleteStatement = defineStatement({
  name: "message_delete",
  text: `UPDATE messages SET deleted = true, pinned = false, pinned_by = NULL, pinned_at = NULL
    WHERE id = $1 AND NOT deleted
    RETURNING server_id, channel_id,
      (SELECT e.id FROM scheduled_events e WHERE e.message_id = messages.id) AS event_id`,
  row: z.object({ server_id: z.string(), channel_id: z.string(), event_id: z.string().nullable() }),
});

const deleteSomeStatement = defineStatement({
  name: "message_delete_some",
  text: `UPDATE messages m SET deleted = true, pinned = false, pinned_by = NULL, pinned_at = NULL
    FROM channels c
    WHERE m.id = ANY ($1::uuid[]) AND m.channel_id = $2 AND NOT m.deleted AND c.id = m.channel_id
    RETURNING m.id, (SELECT e.id FROM scheduled_events e WHERE e.message_id = m.id) AS event_id`,
  row: z.object({ id: z.string(), event_id: z.string().nullable() }),
});

/** Messages of one channel. */
interface ChannelMessages {
  serverId: string;
  channelId: string;
  ids: readonly string[];
}

/**
 * Deletes messages of a channel softly, with their scheduled events, in the caller's transaction: those that are
 * missing, deleted or of another channel are skipped. Connections with `v=2` get one event for all of them; those
 * without, and webhooks, one for each (docs/protocol/moderation.md#24.4).
 *
 * @returns number of deleted messages
 */
export async function deleteMessages(
  transaction: Transaction,
  emit: Emit,
  { serverId, channelId, ids }: ChannelMessages,
): Promise<number> {
  const rows = await transaction.query(deleteSomeStatement, [ids, channelId]);
  // Ids are in order of time, and so are the events of the channel.
  const deleted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (deleted.length === 0) return 0;
  const channel = { server_id: serverId, channel_id: channelId };
  for (const { id } of deleted) {
    emit(createEvent("MESSAGE_DELETE", channel, { id, channel_id: channelId }, { version: 1 }));
  }
  emit(createEvent("MESSAGE_DELETE_BULK", channel, { channel_id: channelId, ids: deleted.map(({ id }) => id) }));
  for (const { id, event_id } of deleted) {
    if (event_id === null) continue;
    emit(createEvent("EVENT_DELETE", channel, { id: event_id, channel_id: channelId, message_id: id }));
  }
  return deleted.length;
}

/**
 * Deletes a message softly, with its scheduled event if it has one, and announces it, in the caller's transaction.
 *
 * @returns false when it was deleted already, or never existed
 */
export async function deleteMessage(transaction: Transaction, emit: Emit, messageId: string): Promise<boolean> {
  const [row] = await transaction.query(deleteStatement, [messageId]);
  if (row === undefined) return false;
  const { server_id, channel_id, event_id } = row;
  emit(createEvent("MESSAGE_DELETE", { server_id, channel_id }, { id: messageId, channel_id }));
  if (event_id !== null) {
    const deleted = { id: event_id, channel_id, message_id: messageId };
    emit(createEvent("EVENT_DELETE", { server_id, channel_id }, deleted));
  }
  return true;
}
