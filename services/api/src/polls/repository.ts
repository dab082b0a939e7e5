import { Poll } from "@parley/contracts";
import { type Connection, defineStatement } from "@parley/database";
import { z } from "zod";

const findStatement = defineStatement({
  name: "poll_find_by_messages",
  text: `SELECT p.message_id, json_build_object(
      'id', p.id,
      'question', p.question,
      'options', json_agg(json_build_object('id', o.id, 'text', o.text, 'votes', o.votes) ORDER BY o.position),
      'total_votes', sum(o.votes)::integer,
      'user_vote', (SELECT v.option_id FROM poll_votes v WHERE v.poll_id = p.id AND v.user_id = $2)) AS poll
    FROM polls p
    CROSS JOIN LATERAL (
      SELECT o.id, o.text, o.position, (SELECT count(*)::integer FROM poll_votes v WHERE v.option_id = o.id) AS votes
      FROM poll_options o WHERE o.poll_id = p.id) o
    WHERE p.message_id = ANY($1::uuid[])
    GROUP BY p.id`,
  row: z.object({ message_id: z.string(), poll: Poll }),
});

/**
 * Reads the polls of messages as one user sees them.
 *
 * @param viewerId whose vote `user_vote` shows; null for nobody's
 * @returns polls by message id
 */
export async function findPolls(
  connection: Connection,
  messageIds: readonly string[],
  viewerId: string | null,
): Promise<Map<string, Poll>> {
  if (messageIds.length === 0) return new Map();
  const rows = await connection.query(findStatement, [messageIds, viewerId]);
  return new Map(rows.map((row) => [row.message_id, row.poll]));
}
