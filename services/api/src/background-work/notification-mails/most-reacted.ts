import type { NotificationSettings } from "@parley/contracts";
import { defineStatement, isByBlocked, type RawRow } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { isSilent } from "./heard.js";
import { reactedCountedMax, reactedKeptMs, reactedLookedAtMax, reactedMax, reactedPerChannelMax } from "./limits.js";
import { findViewable } from "./missed-repository.js";

const Reacted = z.object({
  id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  server: z.string(),
  channel: z.string(),
  author: z.string().nullable(),
  content: z.string(),
});
/** A message of a server with the number of its reactions. */
export type Reacted = z.infer<typeof Reacted> & { count: number };

const Counted = z.object({ id: z.string(), channel_id: z.string(), count: z.int() });

const serversStatement = defineStatement({
  name: "notification_mail_servers",
  text: "SELECT m.server_id FROM members m WHERE m.user_id = $1",
  row: (row: RawRow) => String(row.server_id),
});

/** Of the last day, of each channel of a server. */
const countStatement = defineStatement({
  name: "most_reacted_of_server",
  text: `SELECT top.id, c.id AS channel_id, top.count FROM channels c
    CROSS JOIN LATERAL (
      SELECT recent.id, counted.count FROM (
          SELECT id FROM messages WHERE channel_id = c.id AND listed AND created_at > now() - interval '24 hours'
          ORDER BY created_at DESC, id DESC LIMIT ${reactedCountedMax}) recent
        CROSS JOIN LATERAL (SELECT count(*)::integer AS count FROM reactions r WHERE r.message_id = recent.id) counted
      WHERE counted.count > 0 ORDER BY counted.count DESC, recent.id DESC LIMIT ${reactedPerChannelMax}) top
    WHERE c.server_id = $1`,
  row: Counted,
});

const contentStatement = defineStatement({
  name: "most_reacted_content",
  text: `SELECT m.id, m.server_id, m.channel_id, s.name AS server, c.name AS channel, author.username AS author, m.content
    FROM messages m JOIN channels c ON c.id = m.channel_id JOIN servers s ON s.id = m.server_id
    LEFT JOIN users author ON author.id = m.author_id
    WHERE m.id = ANY ($2) AND NOT m.deleted AND NOT ${isByBlocked("$1", "m.author_id")}`,
  row: Reacted,
});

/** Finds what an account may view of the messages with the most reactions of the last day. */
export type FindMostReacted = (userId: string, settings: NotificationSettings, now: Date) => Promise<Reacted[]>;

/** The counts of a server serve all accounts that are in it, for some minutes: many daily mails are due at the same time. */
export function createFindMostReacted(database: Database): FindMostReacted {
  type Kept = Promise<z.infer<typeof Counted>[]>;
  let kept = new Map<string, Kept>();
  let keptSince = 0;

  const countsOf = (serverId: string): Kept => {
    const found = kept.get(serverId);
    if (found !== undefined) return found;
    const counts = database.query(countStatement, [serverId]);
    kept.set(serverId, counts);
    counts.catch(() => kept.delete(serverId));
    return counts;
  };

  return async (userId, settings, now) => {
    if (performance.now() - keptSince > reactedKeptMs) [kept, keptSince] = [new Map(), performance.now()];
    const found: (z.infer<typeof Counted> & { server_id: string })[] = [];
    for (const server_id of await database.query(serversStatement, [userId])) {
      const place = (channel_id: string) => ({ server_id, channel_id, thread_id: null });
      for (const counted of await countsOf(server_id)) {
        if (!isSilent(settings, place(counted.channel_id), now)) found.push({ ...counted, server_id });
      }
    }
    const most = found.sort((a, b) => b.count - a.count).slice(0, reactedLookedAtMax);
    return mostOf(database, userId, most);
  };
}

async function mostOf(connection: Queryable, userId: string, most: readonly z.infer<typeof Counted>[]) {
  const viewable = await findViewable(
    connection,
    userId,
    most.map(({ channel_id }) => channel_id),
  );
  const counts = new Map(most.filter(({ channel_id }) => viewable.has(channel_id)).map(({ id, count }) => [id, count]));
  const rows = await connection.query(contentStatement, [userId, [...counts.keys()]]);
  return rows
    .map((row): Reacted => ({ ...row, count: counts.get(row.id) ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? 1 : -1))
    .slice(0, reactedMax);
}
