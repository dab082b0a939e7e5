import { defineStatement, type Statement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** The marks up to which was looked, and up to which can be looked now. What is older than a day is not looked at any more. */
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
      -- What the row of an account says is asked when it is locked, as a mail may have been sent meanwhile.
      UPDATE notification_settings n SET mail_due_at = CASE WHEN n.mail = 'mentions' THEN coalesce(n.mail_due_at, greatest(
          first.created_at + make_interval(secs => $4), n.mail_sent_at + make_interval(secs => $5))) ELSE n.mail_due_at END
      FROM (SELECT user_id, min(created_at) AS created_at FROM stored GROUP BY user_id) first
      WHERE n.user_id = first.user_id)
    SELECT count(*)::integer AS looked_at, (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last_id FROM batch`,
    row: Batch,
  });

/** Exported for the tests of their plans. */
export const collectMentionsStatement = collectStatement("missed_mentions_collect", {
  isDirect: false,
  batch: `SELECT id, channel_id, server_id, author_id, reply_to, mention_everyone, mention_user_ids, deleted, created_at
    FROM messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
  others: `heard AS (
      SELECT n.user_id, b.id FROM batch b CROSS JOIN LATERAL unnest(b.mention_user_ids) AS named (user_id)
        JOIN notification_settings n ON n.user_id = named.user_id AND n.mail <> 'off'
      UNION
      SELECT n.user_id, b.id FROM batch b JOIN messages answered ON answered.id = b.reply_to
        JOIN notification_settings n ON n.user_id = answered.author_id AND n.mail <> 'off'
      UNION
      SELECT n.user_id, b.id FROM batch b JOIN members m ON m.server_id = b.server_id
        JOIN notification_settings n ON n.user_id = m.user_id AND n.mail <> 'off'
        WHERE b.mention_everyone)`,
  missed: `SELECT h.user_id, b.id AS message_id, b.created_at FROM heard h JOIN batch b ON b.id = h.id
    JOIN members m ON m.server_id = b.server_id AND m.user_id = h.user_id
    LEFT JOIN read_states r ON r.user_id = h.user_id AND r.channel_id = b.channel_id
    WHERE b.author_id IS DISTINCT FROM h.user_id AND NOT b.deleted AND b.created_at > coalesce(r.last_read_at, m.joined_at)`,
});

/** In a group nothing is missed that was sent before one came. */
export const collectDirectStatement = collectStatement("missed_direct_collect", {
  isDirect: true,
  batch: `SELECT id, channel_id, author_id, created_at FROM dm_messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
  others: `people AS (
      SELECT b.id, c.user_low AS user_id, c.created_at AS since FROM batch b JOIN dm_channels c ON c.id = b.channel_id
      UNION ALL
      SELECT b.id, c.user_high, c.created_at FROM batch b JOIN dm_channels c ON c.id = b.channel_id
      UNION ALL
      SELECT b.id, g.user_id, g.joined_at FROM batch b JOIN dm_group_members g ON g.channel_id = b.channel_id)`,
  missed: `SELECT n.user_id, b.id AS message_id, b.created_at FROM people p JOIN batch b ON b.id = p.id
    JOIN notification_settings n ON n.user_id = p.user_id AND n.mail <> 'off'
    LEFT JOIN dm_read_states r ON r.user_id = n.user_id AND r.channel_id = b.channel_id
    WHERE b.author_id IS DISTINCT FROM n.user_id AND b.created_at > coalesce(r.last_read_at, p.since)`,
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
 * Stores what was missed of the next messages.
 *
 * @returns the new mark, and whether there may be more messages
 */
export async function collect(
  transaction: Transaction,
  statement: Statement<z.infer<typeof Batch>>,
  range: { from: string; until: string; size: number; waitSeconds: number; pauseSeconds: number },
): Promise<{ mark: string; isMore: boolean }> {
  const { from, until, size, waitSeconds, pauseSeconds } = range;
  const [batch] = await transaction.query(statement, [from, until, size, waitSeconds, pauseSeconds]);
  const isMore = batch?.looked_at === size && batch.last_id !== null;
  return { mark: isMore && batch.last_id !== null ? batch.last_id : until, isMore };
}
