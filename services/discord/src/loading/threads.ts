import { defineStatement, jsonTime } from "@parley/database";
import { z } from "zod";

/** A thread that nobody writes in for this time is archived; a later reply brings it back (docs/discord.md#gateway). */
export const activeInterval = "interval '7 days'";
/** Active threads of a server that clients get, at most. */
const activeMax = 1_000;

/** A thread as it is stored, from its first reply on, with its times as text. */
export const threadRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  server_id: z.string(),
  author_id: z.string().nullable(),
  content: z.string(),
  thread_reply_count: z.int(),
  created_at: z.string(),
  title: z.string().nullable(),
  closed: z.boolean(),
  last_reply_at: z.string(),
  last_reply_id: z.string().nullable(),
});

/** SQL of threads `t`, by a condition. */
const threadsWhere = (
  where: string,
) => `SELECT t.root_id AS id, t.channel_id, t.server_id, root.author_id, root.content,
    root.thread_reply_count, ${jsonTime("root.created_at")} AS created_at, t.title, t.closed,
    ${jsonTime("t.last_reply_at")} AS last_reply_at, (
      SELECT m.id FROM messages m WHERE m.thread_id = t.root_id AND NOT m.deleted
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS last_reply_id
  FROM threads t JOIN messages root ON root.id = t.root_id AND NOT root.deleted AND root.thread_reply_count > 0
  WHERE ${where}`;

/** SQL of the active threads of a server, the one with the newest reply first. */
export const activeThreads = (serverId: string) =>
  threadsWhere(`t.server_id = ${serverId} AND NOT t.closed AND t.last_reply_at > now() - ${activeInterval}
    ORDER BY t.last_reply_at DESC, t.root_id DESC LIMIT ${activeMax}`);

/** The active threads of a server. */
export const findActiveThreads = defineStatement({
  name: "discord_active_threads",
  text: activeThreads("$1::uuid"),
  row: threadRow,
});

/** Those of the channel $2 that are closed, or that nobody wrote in, from the time $3 back. */
export const findArchivedThreads = defineStatement({
  name: "discord_archived_threads",
  text: threadsWhere(`t.server_id = $1::uuid AND t.channel_id = $2::uuid
    AND (t.closed OR t.last_reply_at <= now() - ${activeInterval}) AND t.last_reply_at < $3::timestamptz
    ORDER BY t.last_reply_at DESC, t.root_id DESC LIMIT $4`),
  row: threadRow,
});

/** Threads by their root messages. */
export const findThreads = defineStatement({
  name: "discord_threads",
  text: threadsWhere("t.root_id = ANY ($1::uuid[])"),
  row: threadRow,
});
