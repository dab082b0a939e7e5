import { Poll } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { withLater } from "./schema.js";

const findStatement = defineStatement({
  name: "poll_find_by_messages",
  text: `SELECT p.message_id, json_build_object(
      'id', p.id,
      'question', p.question,
      'options', json_agg(json_build_object('id', o.id, 'text', o.text, 'votes', o.votes) ORDER BY o.position),
      'total_votes', CASE WHEN p.multiple > 1
        THEN (SELECT count(*)::integer FROM poll_votes v WHERE v.poll_id = p.id) ELSE sum(o.votes)::integer END,
      'user_vote', own.option_id) AS poll,
      p.multiple, ${jsonTime("p.ends_at")} AS ends_at, coalesce(p.ends_at <= now(), false) AS ended,
      CASE WHEN own.option_id IS NULL THEN '{}' ELSE own.option_id || own.also END AS choices
    FROM polls p
    CROSS JOIN LATERAL (
      SELECT o.id, o.text, o.position, (SELECT count(*)::integer FROM poll_votes v WHERE v.option_id = o.id)
        + CASE WHEN p.multiple > 1 THEN
            (SELECT count(*)::integer FROM poll_votes v WHERE v.poll_id = p.id AND o.id = ANY (v.also)) ELSE 0 END AS votes
      FROM poll_options o WHERE o.poll_id = p.id) o
    LEFT JOIN poll_votes own ON own.poll_id = p.id AND own.user_id = $2
    WHERE p.message_id = ANY($1::uuid[])
    GROUP BY p.id, own.option_id, own.also`,
  row: z.object({
    message_id: z.string(),
    poll: Poll,
    multiple: z.int().nullable(),
    ends_at: z.string().nullable(),
    ended: z.boolean(),
    choices: z.array(z.string()),
  }),
});

const locationColumns = `p.message_id, m.channel_id, m.server_id, m.author_id, coalesce(p.multiple, 1) AS multiple,
  coalesce(p.ends_at <= now(), false) AS ended`;
const locationRow = z.object({ message_id: z.string(), channel_id: z.string(), server_id: z.string() });
const foundRow = locationRow.extend({ author_id: z.string().nullable(), multiple: z.int(), ended: z.boolean() });
export type PollLocation = z.infer<typeof foundRow>;

const locateStatement = defineStatement({
  name: "poll_locate",
  text: `SELECT ${locationColumns}
    FROM polls p JOIN messages m ON m.id = p.message_id
    WHERE p.id = $1 AND NOT m.deleted`,
  row: foundRow,
});

/** Votes of a poll are counted one after the other, so that each event has all votes committed before it. */
const lockStatement = defineStatement({
  name: "poll_lock",
  text: `SELECT ${locationColumns}
    FROM polls p JOIN messages m ON m.id = p.message_id
    WHERE p.id = $1 AND NOT m.deleted
    FOR NO KEY UPDATE OF p`,
  row: foundRow,
});

const choicesOf = (row: Record<string, unknown>) => z.array(z.string()).parse(row.choices);

/**
 * Stores the choices $2 where all of them are the poll's; those after the first one stand in `also`. The row has the
 * choices before.
 */
const voteStatement = defineStatement({
  name: "poll_vote",
  text: `WITH before AS (SELECT option_id || also AS choices FROM poll_votes WHERE poll_id = $1 AND user_id = $3),
    stored AS (INSERT INTO poll_votes (poll_id, user_id, option_id, also)
      SELECT $1::uuid, $3::uuid, ($2::uuid[])[1], ($2::uuid[])[2:]
      WHERE cardinality($2::uuid[]) = (SELECT count(*) FROM poll_options o WHERE o.poll_id = $1 AND o.id = ANY ($2::uuid[]))
      ON CONFLICT (poll_id, user_id) DO UPDATE SET option_id = excluded.option_id, also = excluded.also
      RETURNING user_id)
    SELECT coalesce((SELECT choices FROM before), '{}') AS choices FROM stored`,
  row: choicesOf,
});

const takeBackStatement = defineStatement({
  name: "poll_vote_take_back",
  text: "DELETE FROM poll_votes WHERE poll_id = $1 AND user_id = $2 RETURNING option_id || also AS choices",
  row: choicesOf,
});

/** Has a row while the end of a poll is to be announced; an index answers it. */
export const endedPolls = "SELECT FROM polls WHERE end_due_at <= now()";

const endedStatement = defineStatement({
  name: "poll_ended",
  text: `SELECT p.id, m.server_id, m.channel_id FROM polls p JOIN messages m ON m.id = p.message_id
    WHERE p.end_due_at <= now() AND p.id <> ALL ($2::uuid[]) ORDER BY p.end_due_at LIMIT $1`,
  row: z.object({ id: z.string(), server_id: z.string(), channel_id: z.string() }),
});

/** The end of a poll and the item in its author's inbox are one statement: whichever process dies, both are done once. */
const endStatement = defineStatement({
  name: "poll_end",
  text: `WITH ended AS (
      UPDATE polls SET end_due_at = NULL WHERE id = $1 AND end_due_at <= now() RETURNING message_id),
    place AS (
      SELECT m.id AS message_id, m.channel_id, m.server_id, m.author_id
      FROM ended JOIN messages m ON m.id = ended.message_id WHERE NOT m.deleted),
    item AS (
      INSERT INTO inbox_items (id, user_id, kind, server_id, channel_id, message_id)
      SELECT uuidv7(), author_id, 'poll', server_id, channel_id, message_id FROM place
      WHERE author_id IS NOT NULL AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = author_id) RETURNING user_id),
    change AS (INSERT INTO inbox_changes (user_id) SELECT user_id FROM item)
    SELECT message_id, channel_id, server_id FROM place`,
  row: locationRow,
});

const expireStatement = defineStatement({
  name: "poll_expire",
  text: "UPDATE polls SET ends_at = now(), end_due_at = now() WHERE id = $1",
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
  return new Map(
    rows.map(({ message_id, poll, multiple, ends_at, ...later }) => [
      message_id,
      withLater(poll, { multiple: multiple ?? undefined, ends_at: ends_at ?? undefined, ...later }),
    ]),
  );
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

/** Sets the user's choices. @returns the choices that they replace; null when the poll lacks one of the new ones */
export async function vote(
  transaction: Transaction,
  { pollId, optionIds, userId }: { pollId: string; optionIds: readonly string[]; userId: string },
): Promise<readonly string[] | null> {
  const [before] = await transaction.query(voteStatement, [pollId, optionIds, userId]);
  return before ?? null;
}

/** @returns the choices that the user had; null for a user without a vote */
export async function takeVoteBack(
  transaction: Transaction,
  pollId: string,
  userId: string,
): Promise<readonly string[] | null> {
  const [before] = await transaction.query(takeBackStatement, [pollId, userId]);
  return before ?? null;
}

/** Some polls whose end is to be announced. @param but ids that are left out */
export function findEndedPolls(connection: Queryable, size: number, but: readonly string[]) {
  return connection.query(endedStatement, [size, but]);
}

/** Makes this moment the end of a poll, which {@link endPoll} then ends. */
export async function expirePoll(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute(expireStatement, [id]);
}

/** Ends a poll. @returns null when another process did, or its message is gone */
export async function endPoll(transaction: Transaction, pollId: string) {
  const [place] = await transaction.query(endStatement, [pollId]);
  return place ?? null;
}
