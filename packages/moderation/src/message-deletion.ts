import { createEvent } from "@parley/contracts";
import { defineStatement, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";

/** Unpins as well: a deleted message is in no list of pins. */
const deleteStatement = defineStatement({
  name: "message_delete",
  text: `UPDATE messages SET deleted = true, pinned = false, pinned_by = NULL, pinned_at = NULL
    WHERE id = $1 AND NOT deleted
    RETURNING server_id, channel_id`,
  row: z.object({ server_id: z.string(), channel_id: z.string() }),
});

/**
 * Deletes a message softly and announces it, in the caller's transaction.
 *
 * @returns false when it was deleted already, or never existed
 */
export async function deleteMessage(transaction: Transaction, emit: Emit, messageId: string): Promise<boolean> {
  const [row] = await transaction.query(deleteStatement, [messageId]);
  if (row === undefined) return false;
  emit(createEvent("MESSAGE_DELETE", row, { id: messageId, channel_id: row.channel_id }));
  return true;
}
