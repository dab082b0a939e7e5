import { defineStatement, mentionsGroup, type Statement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** The marks of the last look, and the bound of the next. The job does not look at messages older than a day. */
const marksStatement = defineStatement({
  name: "missed_marks_lock",
  text: `SELECT greatest(message_id, uuidv7('-1 day')) AS message_id,
      greatest(dm_message_id, uuidv7('-1 day')) AS dm_message_id,
      uuidv7(make_interval(secs => -$1::double precision)) AS until
    FROM missed_message_marks FOR UPDATE SKIP LOCKED`,
  row: z.object({ message_id: z.string(), dm_message_id: z.string(), until: z.string() }),
});

const moveStatement = defineStatement({
  name: "missed_marks_move",
  text: "UPDATE missed_message_marks SET message_id = $1, dm_message_id = $2",
});

const Batch = z.object({ looked_at: z.int(), last_id: z.string().nullable() });

/**
 * A statement that stores which of the next messages accounts with mails have missed, and when their mails are due.
 *
 * @param parts.batch selects the messages with the placeholders $1, after which, $2, before which, and $3, how many
 * @param parts.missed selects `user_id`, `message_id` and `created_at`; `n` stands for `notification_settings`
 * @param parts.others further common table expressions
 */
const collectStatement = (
  name: string,
  { batch, others, missed, isDirect }: { batch: string; others: string; missed: string; isDirect: boolean },
) =>
  defineStatement({
    name,
    text: `WITH batch AS MATERIALIZED (${batch}),
    ${others},
    stored AS (
      INSERT INTO missed_messages (user_id, message_id, is_direct, created_at)
      SELECT user_id, message_id, ${isDirect}, created_at FROM (${missed}) missed
      ON CONFLICT DO NOTHING
      RETURNING user_id, created_at),
    due AS (
      -- Never inserts: the accounts have their rows. What these say is asked when they are locked, as a mail may have been
      -- sent meanwhile, and each is looked up by its key.
      INSERT INTO notification_settings AS n (user_id, mail_due_at)
      SELECT user_id, min(created_at) + make_interval(secs => $4) FROM stored GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE
        SET mail_due_at = greatest(EXCLUDED.mail_due_at, n.mail_sent_at + make_interval(secs => $5))
        WHERE n.mail = 'mentions' AND n.mail_due_at IS NULL)
    SELECT count(*)::integer AS looked_at, (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last_id FROM batch`,
    row: Batch,
  });

/**
 * SQL of a subquery: the account with this id, if it has mails. OFFSET 0 here and below keeps each a look-up by key: the
 * planner knows neither how many messages there are nor how few of them mention somebody, and reads whole tables otherwise.
 */
const mailed = (userId: string) =>
  `(SELECT user_id FROM notification_settings WHERE user_id = ${userId} AND mail <> 'off' OFFSET 0)`;

/** Exported for the tests of their plans. */
export const collectMentionsStatement = collectStatement("missed_mentions_collect", {
  isDirect: false,
  batch: `SELECT id, channel_id, server_id, author_id, reply_to, mention_everyone, mention_user_ids, mention_here, mention_role_ids,
      deleted, created_at
    FROM messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
  others: `heard AS (
      SELECT n.user_id, b.id FROM batch b CROSS JOIN LATERAL unnest(b.mention_user_ids) AS named (user_id)
        CROSS JOIN LATERAL ${mailed("named.user_id")} n
      UNION
      SELECT n.user_id, b.id FROM batch b
        CROSS JOIN LATERAL (SELECT user_ids FROM group_mentions WHERE message_id = b.id OFFSET 0) g
        CROSS JOIN LATERAL unnest(g.user_ids) AS mentioned (user_id)
        CROSS JOIN LATERAL ${mailed("mentioned.user_id")} n
        WHERE ${mentionsGroup("b")}
      UNION
      SELECT n.user_id, b.id FROM batch b
        CROSS JOIN LATERAL (SELECT author_id FROM messages WHERE id = b.reply_to OFFSET 0) answered
        CROSS JOIN LATERAL ${mailed("answered.author_id")} n
        WHERE b.reply_to IS NOT NULL
      UNION
      SELECT n.user_id, b.id FROM batch b
        CROSS JOIN LATERAL (SELECT user_id FROM members WHERE server_id = b.server_id OFFSET 0) m
        CROSS JOIN LATERAL ${mailed("m.user_id")} n
        WHERE b.mention_everyone)`,
  missed: `SELECT h.user_id, b.id AS message_id, b.created_at FROM heard h JOIN batch b ON b.id = h.id
    CROSS JOIN LATERAL (
      SELECT joined_at FROM members WHERE server_id = b.server_id AND user_id = h.user_id OFFSET 0) m
    LEFT JOIN LATERAL (
      SELECT last_read_at FROM read_states WHERE user_id = h.user_id AND channel_id = b.channel_id OFFSET 0) r ON true
    WHERE b.author_id IS DISTINCT FROM h.user_id AND NOT b.deleted AND b.created_at > greatest(r.last_read_at, m.joined_at)`,
});

/** In a group nothing is missed that was sent before one came. */
export const collectDirectStatement = collectStatement("missed_direct_collect", {
  isDirect: true,
  batch: `SELECT id, channel_id, author_id, created_at FROM dm_messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
  others: `people AS (
      SELECT b.*, p.user_id, p.since FROM batch b
        CROSS JOIN LATERAL (SELECT * FROM dm_channels WHERE id = b.channel_id OFFSET 0) c
        CROSS JOIN LATERAL (
          SELECT c.user_low AS user_id, c.created_at AS since
          UNION ALL SELECT c.user_high, c.created_at
          UNION ALL SELECT g.user_id, g.joined_at FROM dm_group_members g WHERE g.channel_id = c.id) p)`,
  missed: `SELECT n.user_id, p.id AS message_id, p.created_at FROM people p
    CROSS JOIN LATERAL ${mailed("p.user_id")} n
    LEFT JOIN LATERAL (
      SELECT last_read_at FROM dm_read_states WHERE user_id = n.user_id AND channel_id = p.channel_id OFFSET 0) r ON true
    WHERE p.author_id IS DISTINCT FROM n.user_id AND p.created_at > greatest(r.last_read_at, p.since)`,
});

/** Locks the marks until the transaction ends; null while another process looks. */
export async function lockMarks(transaction: Transaction, lagSeconds: number) {
  const [marks] = await transaction.query(marksStatement, [lagSeconds]);
  return marks ?? null;
}

export async function moveMarks(transaction: Transaction, messageId: string, dmMessageId: string): Promise<void> {
  await transaction.execute(moveStatement, [messageId, dmMessageId]);
}

/**
 * Stores which of the next messages accounts have missed.
 *
 * @returns the new mark, and whether there may be more messages
 */
export async function collect(
  transaction: Transaction,
  statement: Statement<z.infer<typeof Batch>>,
  range: { from: string; until: string; size: number; waitSeconds: number; pauseSeconds: number },
): Promise<{ mark: string; isMore: boolean; rows: number }> {
  const { from, until, size, waitSeconds, pauseSeconds } = range;
  const [batch] = await transaction.query(statement, [from, until, size, waitSeconds, pauseSeconds]);
  const isMore = batch?.looked_at === size && batch.last_id !== null;
  return { mark: isMore && batch.last_id !== null ? batch.last_id : until, isMore, rows: batch?.looked_at ?? 0 };
}
