import type { FoundServers, Server } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import { countOnline, findListed } from "./browse-repository.js";
import { findPublicServers } from "./repository.js";
import { faceOf, toServer } from "./resource.js";
import { type BrowseQuery, writePlace } from "./schema.js";

/** How long the counts of connected members are reused; they are read for all public servers at once. */
const countAgeMaxMs = 4_000;

/** Lists public servers (docs/protocol/communities.md#34.4). */
export function createBrowse({ database, queue }: { database: Database; queue: FairQueue }) {
  let known: { counts: Promise<ReadonlyMap<string, number>>; askedAt: number } | undefined;

  const readOnline = (): Promise<ReadonlyMap<string, number>> => {
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < countAgeMaxMs) return known.counts;
    const asked = { counts: countOnline(database), askedAt: now };
    known = asked;
    asked.counts.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.counts;
  };

  return {
    /** The first of all public servers, as they were before they had a face. */
    async list(): Promise<Server[]> {
      return (await findPublicServers(database)).map((row) => {
        const server = toServer(row);
        for (const key of Object.keys(faceOf(row))) Reflect.deleteProperty(server, key);
        return server;
      });
    },

    /** A page of those that a query finds. */
    search(userId: string, query: BrowseQuery): Promise<FoundServers> {
      return queue.run(userId, async () => {
        const online = await readOnline();
        const found = await findListed(database, query, { online, limit: query.limit + 1 });
        const page = found.slice(0, query.limit);
        const last = found.length > query.limit ? page.at(-1) : undefined;
        return {
          servers: page.map(({ server }) => ({
            ...toServer(server),
            description: server.description,
            tags: server.tags.length === 0 ? null : server.tags,
            language: server.language,
            banner_url: server.banner_url,
            online_count: online.get(server.id) ?? 0,
          })),
          next: last === undefined ? null : writePlace({ ...last, id: last.server.id }),
        };
      });
    },
  };
}

export type Browse = ReturnType<typeof createBrowse>;
