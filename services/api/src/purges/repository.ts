import { defineStatement, type Queryable } from "@parley/database";
import { z } from "zod";
import type { AttachmentName } from "../storage/keys.js";

/**
 * The next messages of the channel that was deleted first, of those that no other process is at. In the order of the
 * history index: deleted messages and thread replies, then root messages, each the newest first. So replies go before
 * their roots and answers before what they answer, and a batch takes no rows with it that it does not count. When there
 * are no more, the channel is done with.
 */
const batchStatement = defineStatement({
  name: "purge_batch",
  text: `WITH next AS MATERIALIZED (
      SELECT channel_id FROM purges ORDER BY created_at, channel_id LIMIT 1 FOR UPDATE SKIP LOCKED),
    doomed AS MATERIALIZED (
      SELECT m.id FROM messages m WHERE m.channel_id = (SELECT channel_id FROM next)
      ORDER BY m.listed, m.created_at DESC, m.id DESC LIMIT $1),
    removed AS (DELETE FROM messages m USING doomed WHERE m.id = doomed.id),
    finished AS (
      DELETE FROM purges p USING next WHERE p.channel_id = next.channel_id AND (SELECT count(*) FROM doomed) < $1)
    SELECT (
        SELECT coalesce(json_agg(json_build_object('message_id', a.message_id, 'stored_name', a.stored_name)), '[]')
        FROM attachments a JOIN doomed ON doomed.id = a.message_id) AS files
    FROM next`,
  row: z.object({ files: z.array(z.object({ message_id: z.string(), stored_name: z.string() })) }),
});

/**
 * Removes some messages of a deleted channel.
 *
 * @returns the files that they had; null when no deleted channel waits
 */
export async function purgeBatch(connection: Queryable, size: number): Promise<AttachmentName[] | null> {
  const [batch] = await connection.query(batchStatement, [size]);
  return batch?.files ?? null;
}
