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
