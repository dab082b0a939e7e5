import { defineStatement, isByBlocked, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { reactedCountedMax, reactedPerChannelMax } from "./limits.js";

const ServerMessageCount = z.object({
  id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  server: z.string(),
  channel: z.string(),
  author: z.string().nullable(),
  content: z.string(),
});
/** A message of a server with the number of its reactions. */
export type ServerMessageCount = z.infer<typeof ServerMessageCount> & { count: number };

const ReactionTotal = z.object({ id: z.string(), channel_id: z.string(), count: z.int() });

/** A message with the number of its reactions. */
export type ReactionTotal = z.infer<typeof ReactionTotal>;

const serversStatement = defineStatement({
  name: "notification_mail_servers",
  text: "SELECT m.server_id FROM members m WHERE m.user_id = $1",
  row: (row: RawRow) => String(row.server_id),
});

/** Counts the reactions of the last day, in each channel of a server. Exported for the test of its plan. */
export const countStatement = defineStatement({
  name: "most_reacted_of_server",
  text: `SELECT top.id, c.id AS channel_id, top.count FROM channels c
    CROSS JOIN LATERAL (
      SELECT recent.id, counted.count FROM (
          SELECT id FROM messages WHERE channel_id = c.id AND listed AND created_at > now() - interval '24 hours'
          ORDER BY created_at DESC, id DESC LIMIT ${reactedCountedMax}) recent
        CROSS JOIN LATERAL (SELECT count(*)::integer AS count FROM reactions r WHERE r.message_id = recent.id) counted
      WHERE counted.count > 0 ORDER BY counted.count DESC, recent.id DESC LIMIT ${reactedPerChannelMax}) top
    WHERE c.server_id = $1`,
  row: ReactionTotal,
});

const contentStatement = defineStatement({
  name: "most_reacted_content",
  text: `SELECT m.id, m.server_id, m.channel_id, s.name AS server, c.name AS channel, author.username AS author, m.content
    FROM messages m JOIN channels c ON c.id = m.channel_id JOIN servers s ON s.id = m.server_id
    LEFT JOIN users author ON author.id = m.author_id
    WHERE m.id = ANY ($2) AND NOT m.deleted AND NOT ${isByBlocked("$1", "m.author_id")}`,
  row: ServerMessageCount,
});

/** Ids of the servers that an account is in. */
export function findServers(connection: Queryable, userId: string): Promise<string[]> {
  return connection.query(serversStatement, [userId]);
}

/** The messages with the most reactions of each channel of a server. */
export function countReactions(connection: Queryable, serverId: string): Promise<ReactionTotal[]> {
  return connection.query(countStatement, [serverId]);
}

/** Messages that are there, and not by somebody whom the account has blocked. */
export function findContents(connection: Queryable, userId: string, ids: readonly string[]) {
  return connection.query(contentStatement, [userId, ids]);
}
