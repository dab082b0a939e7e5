import { Poll } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
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

const locationColumns = "p.message_id, m.channel_id, m.server_id";
const locationRow = z.object({ message_id: z.string(), channel_id: z.string(), server_id: z.string() });
export type PollLocation = z.infer<typeof locationRow>;

const locateStatement = defineStatement({
  name: "poll_locate",
  text: `SELECT ${locationColumns}
    FROM polls p JOIN messages m ON m.id = p.message_id
    WHERE p.id = $1 AND NOT m.deleted`,
  row: locationRow,
});

/** Votes of a poll are counted one after the other, so that each event has all votes committed before it. */
const lockStatement = defineStatement({
  name: "poll_lock",
  text: `SELECT ${locationColumns}
    FROM polls p JOIN messages m ON m.id = p.message_id
    WHERE p.id = $1 AND NOT m.deleted
    FOR NO KEY UPDATE OF p`,
  row: locationRow,
});

const voteStatement = defineStatement({
  name: "poll_vote",
  text: `INSERT INTO poll_votes (poll_id, user_id, option_id)
    SELECT o.poll_id, $3::uuid, o.id FROM poll_options o WHERE o.poll_id = $1 AND o.id = $2
    ON CONFLICT (poll_id, user_id) DO UPDATE SET option_id = excluded.option_id`,
});

/**
 * Reads the polls of messages.
 *
 * @param viewerId user whose vote is in `user_vote`; null for no vote
 * @returns polls by message id
 */
export async function findPolls(
  connection: Queryable,
  messageIds: readonly string[],
  viewerId: string | null,
): Promise<Map<string, Poll>> {
  if (messageIds.length === 0) return new Map();
  const rows = await connection.query(findStatement, [messageIds, viewerId]);
  return new Map(rows.map((row) => [row.message_id, row.poll]));
}

/** Message, channel and server of a poll; null when it does not exist or its message is deleted. */
export async function locatePoll(connection: Queryable, pollId: string): Promise<PollLocation | null> {
  const [location] = await connection.query(locateStatement, [pollId]);
  return location ?? null;
}

/** Like {@link locatePoll}, and locks the poll: other votes wait until the transaction ends. */
export async function lockPoll(transaction: Transaction, pollId: string): Promise<PollLocation | null> {
  const [location] = await transaction.query(lockStatement, [pollId]);
  return location ?? null;
}

/** Sets the user's vote, replacing an earlier one. @returns false when the poll has no such option */
export async function vote(
  transaction: Transaction,
  { pollId, optionId, userId }: { pollId: string; optionId: string; userId: string },
): Promise<boolean> {
  return (await transaction.execute(voteStatement, [pollId, optionId, userId])) > 0;
}
