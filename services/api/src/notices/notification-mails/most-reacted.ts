import type { NotificationSettings } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { isSilent } from "./heard.js";
import { reactedKeptMs, reactedLookedAtMax, reactedMax } from "./limits.js";
import { findViewable } from "./missed-repository.js";
import {
  countReactions,
  findContents,
  findServers,
  type ReactionTotal,
  type ServerMessageCount,
} from "./reacted-repository.js";

/** Finds the viewable ones among the messages with the most reactions of the last day. */
export type FindMostReacted = (
  userId: string,
  settings: NotificationSettings,
  now: Date,
) => Promise<ServerMessageCount[]>;

/** The counts of a server serve all accounts that are in it, for some minutes: many daily mails are due at the same time. */
export function createFindMostReacted(database: Database): FindMostReacted {
  type Kept = Promise<ReactionTotal[]>;
  let kept = new Map<string, Kept>();
  let keptSince = 0;

  const countsOf = (serverId: string): Kept => {
    const found = kept.get(serverId);
    if (found !== undefined) return found;
    const counts = countReactions(database, serverId);
    kept.set(serverId, counts);
    counts.catch(() => kept.delete(serverId));
    return counts;
  };

  return async (userId, settings, now) => {
    if (performance.now() - keptSince > reactedKeptMs) [kept, keptSince] = [new Map(), performance.now()];
    const found: (ReactionTotal & { server_id: string })[] = [];
    for (const server_id of await findServers(database, userId)) {
      for (const counted of await countsOf(server_id)) {
        if (!isSilent(settings, { ...counted, server_id }, now)) found.push({ ...counted, server_id });
      }
    }
    const most = found.sort((a, b) => b.count - a.count).slice(0, reactedLookedAtMax);
    return mostOf(database, userId, most);
  };
}

async function mostOf(connection: Queryable, userId: string, most: readonly ReactionTotal[]) {
  const viewable = await findViewable(
    connection,
    userId,
    most.map(({ channel_id }) => channel_id),
  );
  const counts = new Map(most.filter(({ channel_id }) => viewable.has(channel_id)).map(({ id, count }) => [id, count]));
  const rows = await findContents(connection, userId, [...counts.keys()]);
  return rows
    .map((row): ServerMessageCount => ({ ...row, count: counts.get(row.id) ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? 1 : -1))
    .slice(0, reactedMax);
}
