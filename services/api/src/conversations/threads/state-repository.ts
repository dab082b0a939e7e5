import { InboxActor, threadParticipantsMax } from "@parley/contracts";
import { defineStatement, isByBlocked, isInMentionedGroup, withDisplayName } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** Latest replies among whose authors the participants are. */
const participantRepliesMax = 200;

const actor = (user: string) =>
  `(${withDisplayName(
    `json_build_object('id', ${user}.id, 'username', ${user}.username, 'avatar_url', ${user}.avatar_url)`,
    `${user}.id`,
  )})::json`;

const threadRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  title: z.string().nullable(),
  closed: z.boolean(),
  last_reply_at: z.date(),
  reply_count: z.int(),
  created_by: InboxActor.nullable(),
  participants: z.array(InboxActor),
  followed: z.boolean(),
  unread_count: z.int(),
  mention_count: z.int(),
});
export type ThreadRow = z.infer<typeof threadRow>;

/** SQL of whether the user $1 follows a thread: by the settings, or as soon as a reply has asked for it. */
const isFollowed = "coalesce(target.level <> 'nothing', asked.since IS NOT NULL)";

/** SQL of the threads `t` as the user $1 sees them; `where` is of `t`, `root` and {@link isFollowed}. */
const threadsWhere = (where: string) => `
  WITH asked AS (SELECT root_id, min(since) AS since FROM inbox_changes WHERE user_id = $1 GROUP BY root_id)
  SELECT page.id, page.channel_id, page.title, page.closed, page.last_reply_at, page.reply_count, page.followed,
    (SELECT ${actor("u")} FROM users u WHERE u.id = page.author_id) AS created_by,
    coalesce((
      SELECT json_agg(${actor("u")} ORDER BY latest.replied_at DESC)
      FROM (
        SELECT author_id, max(created_at) AS replied_at FROM (
          SELECT author_id, created_at FROM messages WHERE thread_id = page.id AND NOT deleted AND author_id IS NOT NULL
          ORDER BY created_at DESC, id DESC LIMIT ${participantRepliesMax}) reply
        GROUP BY author_id ORDER BY replied_at DESC LIMIT ${threadParticipantsMax}) latest
      JOIN users u ON u.id = latest.author_id), '[]') AS participants,
    unread.unread_count, unread.mention_count
  FROM (
    SELECT t.root_id AS id, t.channel_id, t.title, t.closed, t.last_reply_at, root.thread_reply_count AS reply_count,
      root.author_id, ${isFollowed} AS followed, coalesce(target.read_at, target.set_at, asked.since) AS read_at
    FROM threads t
    JOIN messages root ON root.id = t.root_id AND NOT root.deleted AND root.thread_reply_count > 0
    LEFT JOIN notification_targets target
      ON target.user_id = $1 AND target.kind = 'thread' AND target.target_id = t.root_id
    LEFT JOIN asked ON asked.root_id = t.root_id
    WHERE ${where}) page
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS unread_count,
      (count(*) FILTER (WHERE (m.mention_everyone OR $1 = ANY (m.mention_user_ids) OR ${isInMentionedGroup("m", "$1::uuid")}) AND NOT ${isByBlocked("$1", "m.author_id")}))::integer
        AS mention_count
    FROM messages m
    WHERE page.followed AND m.thread_id = page.id AND NOT m.deleted AND m.created_at > page.read_at
      AND m.author_id IS DISTINCT FROM $1) unread
  ORDER BY page.last_reply_at DESC, page.id DESC`;

const listStatement = defineStatement({
  name: "thread_state_list",
  text: threadsWhere(`t.server_id = $2 AND t.channel_id = ANY ($3::uuid[])
      AND ($4::boolean IS NULL OR t.closed = $4)
      AND ($5::boolean IS NULL OR ${isFollowed} = $5)
      AND ($6::uuid IS NULL OR (t.last_reply_at, t.root_id) < (
        (SELECT c.last_reply_at FROM threads c WHERE c.root_id = $6), $6))
    ORDER BY t.last_reply_at DESC, t.root_id DESC LIMIT $7`),
  row: threadRow,
});

const findStatement = defineStatement({
  name: "thread_state_find",
  text: threadsWhere("t.root_id = $2"),
  row: threadRow,
});

/** $2 to $4: the title, whether to change it, and whether it is closed, null for no change. */
const updateStatement = defineStatement({
  name: "thread_state_update",
  text: `UPDATE threads SET title = CASE WHEN $3 THEN $2 ELSE title END, closed = coalesce($4, closed)
    WHERE root_id = $1 AND (title, closed) IS DISTINCT FROM (CASE WHEN $3 THEN $2 ELSE title END, coalesce($4, closed))`,
});

const timeStatement = defineStatement({
  name: "thread_reply_time",
  text: "SELECT uuid_extract_timestamp(id) AS time FROM messages WHERE id = $1 AND (thread_id = $2 OR id = $2)",
  row: z.object({ time: z.date() }),
});

/** Of somebody who does not follow the thread no mark is kept. */
const readStatement = defineStatement({
  name: "thread_read",
  text: `WITH asked AS (SELECT coalesce($3::timestamptz, date_trunc('milliseconds', now())) AS read_at)
    UPDATE notification_targets t SET read_at = greatest(coalesce(t.read_at, t.set_at), asked.read_at)
    FROM asked WHERE t.user_id = $1 AND t.kind = 'thread' AND t.target_id = $2 AND t.level <> 'nothing'
    RETURNING t.read_at`,
  row: z.object({ read_at: z.date() }),
});

/** Since when the user $1 is about to follow the thread $2: a reply has asked for it, or its root is theirs. */
const followingStatement = defineStatement({
  name: "thread_following_since",
  text: `SELECT coalesce(
      (SELECT min(since) FROM inbox_changes WHERE user_id = $1 AND root_id = $2),
      (SELECT created_at FROM messages WHERE id = $2 AND author_id = $1)) AS since`,
  row: z.object({ since: z.date().nullable() }),
});

/** A page of a server's threads, the one with the latest reply first. */
export function findThreads(
  connection: Queryable,
  userId: string,
  page: {
    serverId: string;
    channelIds: readonly string[];
    closed: boolean | undefined;
    followed?: boolean | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<ThreadRow[]> {
  const { serverId, channelIds, closed = null, followed = null, before = null, limit } = page;
  return connection.query(listStatement, [userId, serverId, channelIds, closed, followed, before, limit]);
}

/** A thread as a user sees it; undefined without replies. */
export async function findThread(
  connection: Queryable,
  userId: string,
  rootId: string,
): Promise<ThreadRow | undefined> {
  const [row] = await connection.query(findStatement, [userId, rootId]);
  return row;
}

/** @returns whether something changed */
export async function updateThread(
  transaction: Transaction,
  rootId: string,
  { title, closed }: { title?: string | null | undefined; closed?: boolean | undefined },
): Promise<boolean> {
  const values = [rootId, title ?? null, title !== undefined, closed ?? null];
  return (await transaction.execute(updateStatement, values)) > 0;
}

/** The time of the root or of a reply, deleted ones included. */
export async function findReplyTime(connection: Queryable, rootId: string, id: string): Promise<Date | null> {
  const [row] = await connection.query(timeStatement, [id, rootId]);
  return row?.time ?? null;
}

/** Moves the mark of a follower forward. @returns the mark; null for somebody who does not follow the thread */
export async function readThread(
  transaction: Transaction,
  { userId, rootId, upTo }: { userId: string; rootId: string; upTo: Date | null },
): Promise<Date | null> {
  const [row] = await transaction.query(readStatement, [userId, rootId, upTo?.toISOString() ?? null]);
  return row?.read_at ?? null;
}

/** Since when somebody without settings of a thread is about to follow it; null for somebody who is not. */
export async function findFollowing(transaction: Transaction, userId: string, rootId: string): Promise<Date | null> {
  const [row] = await transaction.query(followingStatement, [userId, rootId]);
  return row?.since ?? null;
}
