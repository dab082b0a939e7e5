import { columnsOf, type Database, defineStatement, lastIdOf, rowsOfArrays } from "@parley/database";

/** Programs have no inbox. */
const isPerson = (user: string) => `NOT EXISTS (SELECT FROM bots bot WHERE bot.user_id = ${user})`;

/**
 * Makes the items of messages what they have to be now (docs/protocol/inbox.md#33.1): one for each person whom a message names or
 * answers, or who follows its thread. The first of these kinds counts. What the message no longer gives reason for, or was
 * deleted, goes.
 *
 * A thread is followed by the author of its root, and by those whom a reply names, unless they have settings of it; the api stores
 * that.
 *
 * The lock makes an edit or a deletion wait for the end of the statement, so that their own events find its rows. Only
 * people who were members or followers when the message was sent get an item.
 *
 * Exported for the test of its plan.
 */
export const itemsStatement = defineStatement({
  name: "inbox_items_store",
  text: `WITH m AS MATERIALIZED (
      SELECT id, channel_id, server_id, author_id, thread_id, reply_to, mention_user_ids, mention_everyone, created_at
      FROM messages WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) AND NOT deleted FOR SHARE),
    follower AS MATERIALIZED (
      SELECT m.id, m.thread_id, m.created_at, person.user_id, person.is_named FROM m
      CROSS JOIN LATERAL (
        SELECT named.user_id, true AS is_named FROM unnest(m.mention_user_ids) AS named (user_id)
        UNION ALL SELECT root.author_id, false FROM messages root WHERE root.id = m.thread_id) person
      WHERE m.thread_id IS NOT NULL AND person.user_id IS NOT NULL AND ${isPerson("person.user_id")}
        AND person.user_id IS DISTINCT FROM m.author_id
        AND NOT EXISTS (SELECT FROM notification_targets t
          WHERE t.user_id = person.user_id AND t.kind = 'thread' AND t.target_id = m.thread_id)),
    follows AS (
      INSERT INTO inbox_changes (user_id, root_id, since)
      SELECT user_id, thread_id, min(created_at) - interval '1 ms' FROM follower GROUP BY user_id, thread_id),
    -- A thread whose root is deleted is hidden.
    shown AS (SELECT m.* FROM m JOIN messages root ON root.id = m.thread_id AND NOT root.deleted),
    reached AS (
      SELECT m.id, named.user_id, 'mention' AS kind FROM m CROSS JOIN LATERAL unnest(m.mention_user_ids) AS named (user_id)
      UNION ALL
      SELECT m.id, mentioned.user_id, 'mention' FROM m JOIN group_mentions g ON g.message_id = m.id
        CROSS JOIN LATERAL unnest(g.user_ids) AS mentioned (user_id)
      UNION ALL
      SELECT m.id, member.user_id, 'mention' FROM m
        JOIN members member ON member.server_id = m.server_id AND member.joined_at <= m.created_at
        WHERE m.mention_everyone
      UNION ALL
      SELECT m.id, answered.author_id, 'reply' FROM m JOIN messages answered ON answered.id = m.reply_to
      UNION ALL
      SELECT s.id, t.user_id, 'thread' FROM shown s
        JOIN notification_targets t ON t.target_id = s.thread_id AND t.kind = 'thread'
        WHERE t.level <> 'nothing' AND t.set_at <= s.created_at
      UNION ALL
      SELECT id, user_id, 'thread' FROM follower JOIN shown USING (id) WHERE NOT is_named),
    item AS MATERIALIZED (
      SELECT DISTINCT ON (m.id, reached.user_id) m.*, reached.user_id, reached.kind
      FROM reached JOIN m USING (id)
      WHERE reached.user_id IS DISTINCT FROM m.author_id AND reached.user_id IS NOT NULL AND ${isPerson("reached.user_id")}
      -- The names of the kinds are in the order of their weight.
      ORDER BY m.id, reached.user_id, reached.kind),
    stored AS (
      INSERT INTO inbox_items AS i (id, user_id, kind, server_id, channel_id, place_id, message_id, by_id)
      SELECT id, user_id, kind, server_id, channel_id, CASE WHEN kind = 'thread' THEN thread_id ELSE channel_id END, id, author_id
      FROM item
      ON CONFLICT (id, user_id) DO UPDATE SET kind = EXCLUDED.kind, place_id = EXCLUDED.place_id
        WHERE i.kind <> EXCLUDED.kind
      RETURNING i.user_id),
    removed AS (
      DELETE FROM inbox_items i WHERE i.id = ANY ((SELECT $1::uuid[])::uuid[])
        AND NOT EXISTS (SELECT FROM item WHERE item.id = i.id AND item.user_id = i.user_id)
      RETURNING i.user_id),
    -- Those who follow it, or are about to.
    hidden AS (
      DELETE FROM inbox_items i USING (
        SELECT user_id, target_id AS root_id FROM notification_targets
        WHERE kind = 'thread' AND target_id = ANY ((SELECT $1::uuid[])::uuid[])
        UNION SELECT user_id, root_id FROM inbox_changes WHERE root_id = ANY ((SELECT $1::uuid[])::uuid[])) t
      WHERE NOT EXISTS (SELECT FROM m WHERE m.id = t.root_id) AND i.user_id = t.user_id AND i.place_id = t.root_id
      RETURNING i.user_id)
    INSERT INTO inbox_changes (user_id)
    SELECT user_id FROM stored UNION SELECT user_id FROM removed UNION SELECT user_id FROM hidden`,
});

/** The same for direct messages, where only answers are items. A trigger removes the items of a deleted one. */
const directItemsStatement = defineStatement({
  name: "inbox_direct_items_store",
  text: `WITH item AS MATERIALIZED (
      SELECT m.id, asked.user_id, m.channel_id, m.author_id
      FROM ${rowsOfArrays("uuid", "uuid")} AS asked (user_id, message_id)
      JOIN dm_messages m ON m.id = asked.message_id
      JOIN dm_messages answered ON answered.id = m.reply_to AND answered.author_id = asked.user_id
      WHERE m.author_id IS DISTINCT FROM asked.user_id AND ${isPerson("asked.user_id")}
      ORDER BY m.id, asked.user_id FOR SHARE OF m),
    stored AS (
      INSERT INTO inbox_items (id, user_id, kind, channel_id, place_id, message_id, by_id)
      SELECT id, user_id, 'reply', channel_id, channel_id, id, author_id FROM item
      ON CONFLICT DO NOTHING
      RETURNING user_id)
    INSERT INTO inbox_changes (user_id) SELECT DISTINCT user_id FROM stored`,
});

/**
 * An account whose unread items may have become fewer: it had some, or they are about to be counted; or more: some are newer
 * than the mark.
 */
const readStatement = defineStatement({
  name: "inbox_read",
  text: `INSERT INTO inbox_changes (user_id)
    SELECT DISTINCT reader.user_id FROM ${rowsOfArrays("uuid", "uuid", "timestamptz")} AS reader (user_id, place_id, read_at)
    WHERE EXISTS (SELECT FROM inboxes i WHERE i.user_id = reader.user_id AND i.unread > 0)
      OR EXISTS (SELECT FROM inbox_changes c WHERE c.user_id = reader.user_id)
      OR EXISTS (SELECT FROM inbox_items i WHERE i.user_id = reader.user_id AND i.place_id = reader.place_id
        AND i.id > ${lastIdOf("reader.read_at")})`,
});

/** The mark of an account in a channel, direct messages or a thread. */
export interface ReadMark {
  readonly userId: string;
  readonly placeId: string;
  /** A time as events write it. */
  readonly readAt: string;
}

/** Stores the items of inboxes. Doing the same again changes nothing. */
export type ItemRows = ReturnType<typeof createItemRows>;

export function createItemRows({ database }: { database: Pick<Database, "execute"> }) {
  return {
    /** Of messages of servers that were sent, edited or deleted. */
    messages: (messageIds: readonly string[]) => database.execute(itemsStatement, [[...new Set(messageIds)]]),
    /** Of direct messages that were sent. */
    direct: (sent: readonly { userId: string; messageId: string }[]) =>
      database.execute(directItemsStatement, columnsOf(sent, "userId", "messageId")),
    /** Of accounts whose marks have moved, in either direction. */
    read: (marks: readonly ReadMark[]) =>
      database.execute(readStatement, columnsOf(marks, "userId", "placeId", "readAt")),
  };
}
