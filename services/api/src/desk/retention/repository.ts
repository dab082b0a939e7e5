import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { StoredAttachment } from "../../platform/files/storage/keys.js";

/** Servers that one statement searches. */
const serversAtOnce = 50;

/**
 * Notes in `expirations` those channels of some servers that have expired messages, and deletes rows of the same age
 * from the logs of auto-moderation and of webhooks, which hold copies of messages and are short. $1: days of the
 * instance, null for none. A channel that is being deleted is skipped. The row of a channel that is noted already is
 * updated; the update waits for a transaction that is deleting the row, so the channel is then noted again.
 *
 * @param condition SQL condition that selects the servers
 */
const noteStatement = (name: string, condition: string) =>
  defineStatement({
    name,
    text: `WITH page AS MATERIALIZED (
        SELECT s.id, now() - make_interval(days => least(s.retention_days, $1::integer)) AS before FROM servers s
        WHERE least(s.retention_days, $1::integer) IS NOT NULL AND ${condition} ORDER BY s.id LIMIT ${serversAtOnce}),
      noted AS (
        INSERT INTO expirations (channel_id, before)
        SELECT c.id, page.before FROM page JOIN channels c ON c.server_id = page.id
        WHERE EXISTS (SELECT FROM messages m WHERE m.channel_id = c.id AND m.listed AND m.created_at < page.before)
          OR EXISTS (SELECT FROM messages m WHERE m.channel_id = c.id AND NOT m.listed AND m.created_at < page.before)
        ORDER BY c.id FOR KEY SHARE OF c SKIP LOCKED
        ON CONFLICT (channel_id) DO UPDATE SET before = excluded.before),
      judgements AS (DELETE FROM automod_logs l USING page WHERE l.server_id = page.id AND l.created_at < page.before),
      deliveries AS (
        DELETE FROM webhook_deliveries d USING webhooks w JOIN page ON page.id = w.server_id
        WHERE d.webhook_id = w.id AND d.created_at < page.before)
      SELECT id FROM page ORDER BY id DESC LIMIT 1`,
    row: (row: RawRow) => String(row.id),
  });
const notePageStatement = noteStatement("expired_note_page", "s.id > $2");
const noteServerStatement = noteStatement("expired_note_server", "s.id = $2");

/** The channel that was noted first among those that no other process works on; its lock ends with the statement. */
const nextStatement = defineStatement({
  name: "expired_next",
  text: `SELECT e.channel_id, c.server_id FROM expirations e JOIN channels c ON c.id = e.channel_id
    WHERE e.channel_id::text <> ALL ($1)
    ORDER BY e.created_at, e.channel_id LIMIT 1 FOR UPDATE OF e SKIP LOCKED`,
  row: z.object({ channel_id: z.string(), server_id: z.string() }),
});

const takeStatement = defineStatement({
  name: "expired_take",
  text: "SELECT channel_id FROM expirations WHERE channel_id = $1 FOR UPDATE",
  row: (row: RawRow) => String(row.channel_id),
});

/**
 * The time before which a channel's messages expire by the days that are set now, which may have changed since the
 * channel was noted; null when none are set any more. $2: days of the instance, null for none. It runs after
 * {@link takeStatement}, so it sees the days of every change that has passed {@link batchesEndedStatement}.
 */
const beforeStatement = defineStatement({
  name: "expired_before",
  text: `SELECT now() - make_interval(days => least(s.retention_days, $2::integer)) AS before
    FROM channels c JOIN servers s ON s.id = c.server_id WHERE c.id = $1`,
  row: z.object({ before: z.date().nullable() }),
});

/** Waits for the transactions that have locked noted channels of a server. */
const batchesEndedStatement = defineStatement({
  name: "expired_batches_ended",
  text: `SELECT e.channel_id FROM expirations e JOIN channels c ON c.id = e.channel_id
    WHERE c.server_id = $1 ORDER BY e.channel_id FOR UPDATE OF e`,
  row: (row: RawRow) => String(row.channel_id),
});

const finishStatement = defineStatement({
  name: "expired_finish",
  text: "DELETE FROM expirations WHERE channel_id = $1",
});

/**
 * Locks the next expired messages. Order: thread replies and deleted messages, then the other messages, each newest
 * first, so that replies are removed before their thread root, and answers before the message that they answer. A
 * deleted thread root is left out while it has replies that are not expired. A row that another transaction has locked
 * (storing a reply locks the root) is skipped until a later batch, so neither transaction waits.
 */
const lockStatement = defineStatement({
  name: "expired_lock",
  text: `SELECT m.id FROM messages m WHERE m.id IN (
      SELECT id FROM (
        (SELECT e.id, e.listed, e.created_at FROM messages e
          WHERE e.channel_id = $1 AND NOT e.listed AND e.created_at < $2 AND NOT (
            e.thread_id IS NULL
            AND EXISTS (SELECT FROM messages r WHERE r.thread_id = e.id AND r.created_at >= $2))
          ORDER BY e.created_at DESC, e.id DESC LIMIT $3)
        UNION ALL
        (SELECT e.id, e.listed, e.created_at FROM messages e
          WHERE e.channel_id = $1 AND e.listed AND e.created_at < $2
          ORDER BY e.created_at DESC, e.id DESC LIMIT $3)) AS expired
      ORDER BY listed, created_at DESC, id DESC LIMIT $3)
    FOR UPDATE SKIP LOCKED`,
  row: (row: RawRow) => String(row.id),
});

/**
 * Removes the locked messages, and returns those of them that were not deleted, with their scheduled events. It runs
 * after {@link lockStatement}, so its snapshot contains every reply to them. A thread root with replies is emptied, like
 * a deleted message: removing its row would remove the replies, too.
 */
const expireStatement = defineStatement({
  name: "expired_remove",
  text: `WITH expired AS MATERIALIZED (
      SELECT m.id, m.deleted, EXISTS (SELECT FROM messages r WHERE r.thread_id = m.id) AS has_replies
      FROM messages m WHERE m.id = ANY ($1::uuid[])),
    files AS (
      DELETE FROM attachments a USING expired WHERE a.message_id = expired.id
      RETURNING a.message_id, a.stored_name, a.upload_id),
    reacted AS (DELETE FROM reactions r USING expired WHERE r.message_id = expired.id),
    grouped AS (DELETE FROM group_mentions g USING expired WHERE g.message_id = expired.id),
    asked AS (DELETE FROM polls p USING expired WHERE p.message_id = expired.id),
    emptied AS (
      UPDATE messages m SET content = '-', deleted = true, author_id = NULL, reply_to = NULL, mention_user_ids = '{}',
        mention_everyone = false, mention_role_ids = '{}', mention_here = false, pinned = false, pinned_by = NULL, pinned_at = NULL
      FROM expired WHERE m.id = expired.id AND expired.has_replies),
    removed AS (DELETE FROM messages m USING expired WHERE m.id = expired.id AND NOT expired.has_replies)
    SELECT
      ARRAY(SELECT id::text FROM expired WHERE NOT deleted ORDER BY id) AS ids,
      coalesce((SELECT json_agg(json_build_object('id', e.id, 'message_id', e.message_id))
        FROM scheduled_events e JOIN expired ON expired.id = e.message_id), '[]') AS events,
      coalesce((SELECT json_agg(files) FROM files), '[]') AS files`,
  row: z.object({
    ids: z.array(z.string()),
    events: z.array(z.object({ id: z.string(), message_id: z.string() })),
    files: z.array(z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() })),
  }),
});

/**
 * Ids are ordered by time of creation, so the oldest direct messages come first in the primary key. Reactions go with
 * them; the ids of deleted ones of that age are of no use any more.
 */
const directStatement = defineStatement({
  name: "expired_direct_messages",
  text: `WITH expired AS MATERIALIZED (
      SELECT id FROM dm_messages WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED),
    files AS (
      DELETE FROM dm_attachments a USING expired WHERE a.message_id = expired.id
      RETURNING a.message_id, a.stored_name, a.upload_id),
    removed AS (DELETE FROM dm_messages m USING expired WHERE m.id = expired.id),
    forgotten AS (
      DELETE FROM deleted_dm_messages WHERE id IN (
        SELECT id FROM deleted_dm_messages WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING id)
    SELECT (SELECT count(*)::integer FROM expired) + (SELECT count(*)::integer FROM forgotten) AS count,
      coalesce((SELECT json_agg(files) FROM files), '[]') AS files`,
  row: z.object({
    count: z.int(),
    files: z.array(z.object({ message_id: z.string(), stored_name: z.string(), upload_id: z.string().nullable() })),
  }),
});

/** Lower than the id of every server. */
export const firstServer = "00000000-0000-0000-0000-000000000000";

/**
 * Notes the expired messages of the servers that follow `after`. @returns id of the last one; null after the last
 * server
 */
export async function noteExpired(
  connection: Queryable,
  { instanceDays, after }: { instanceDays: number | null; after: string },
): Promise<string | null> {
  const [last] = await connection.query(notePageStatement, [instanceDays, after]);
  return last ?? null;
}

/** Notes the expired messages of one server. */
export async function noteExpiredOf(
  connection: Queryable,
  { instanceDays, serverId }: { instanceDays: number | null; serverId: string },
): Promise<void> {
  await connection.query(noteServerStatement, [instanceDays, serverId]);
}

/**
 * Resolves when no batch is under way that removes messages of a server by days from before the call; later batches use
 * the days that are committed.
 */
export async function untilBatchesEnded(connection: Queryable, serverId: string): Promise<void> {
  await connection.query(batchesEndedStatement, [serverId]);
}

/** The next channel with expired messages, as far as it is noted; null when there is none. @param except left out */
export async function findNextChannel(connection: Queryable, except: readonly string[]) {
  const [channel] = await connection.query(nextStatement, [except]);
  return channel ?? null;
}

/** The rows that a batch has removed. */
export interface ExpiredBatch {
  files: StoredAttachment[];
  /** Messages that were not deleted before. */
  ids: string[];
  events: { id: string; message_id: string }[];
}

const nothingExpired: ExpiredBatch = { files: [], ids: [], events: [] };

/** Removes at most `size` expired messages of a channel; when there are none, the channel is noted no longer. */
export async function expireBatch(
  transaction: Transaction,
  { channelId, size, instanceDays }: { channelId: string; size: number; instanceDays: number | null },
): Promise<ExpiredBatch> {
  const [taken] = await transaction.query(takeStatement, [channelId]);
  if (taken === undefined) return nothingExpired;
  const [days] = await transaction.query(beforeStatement, [channelId, instanceDays]);
  const before = days?.before ?? null;
  const ids = before === null ? [] : await transaction.query(lockStatement, [channelId, before, size]);
  if (ids.length === 0) {
    await transaction.execute(finishStatement, [channelId]);
    return nothingExpired;
  }
  const [expired] = await transaction.query(expireStatement, [ids]);
  return expired ?? nothingExpired;
}

/** Removes the oldest direct messages from before a time, at most `size`. @returns number of removed rows; their files */
export async function expireDirectMessages(
  connection: Queryable,
  before: Date,
  size: number,
): Promise<{ count: number; files: StoredAttachment[] }> {
  const time = before.getTime().toString(16).padStart(12, "0");
  const first = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
  const [expired] = await connection.query(directStatement, [first, size]);
  return expired ?? { count: 0, files: [] };
}
