import type { SearchPage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findViewableChannels } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import { findHitsInTime, type Hit, type Hits } from "./repository.js";
import type { SearchQuery } from "./schema.js";

/** @param options.queue searches of this process */
export function createSearchService({ database, queue }: { database: Database; queue: FairQueue }) {
  return {
    /** A page of the messages of a server that the caller may view and that contain all words of a query. */
    async search(userId: string, serverId: string, query: SearchQuery): Promise<SearchPage> {
      const { q, channel_id, before = null, limit } = query;
      await requireMember(database, serverId, userId);
      const viewable = (await findViewableChannels(database, serverId, userId)).map((channel) => channel.id);
      const channelIds = channel_id === undefined ? viewable : viewable.filter((id) => id === channel_id);
      const wanted = { serverId, words: q, channelIds, before, limit: limit + 1 };
      const found = await queue.run(userId, () => findHitsInTime(database, wanted));
      return toSearchPage(found, limit);
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;

/** A page as it goes over the wire, of hits among which is one more than fits, if there is one. */
export function toSearchPage({ total, hits }: Hits, limit: number): SearchPage {
  const page = hits.slice(0, limit);
  const hasMore = hits.length > limit;
  const next_cursor = hasMore ? (page.at(-1)?.id ?? null) : null;
  return { results: page.map(toResult), total, has_more: hasMore, next_cursor };
}

function toResult(hit: Hit): SearchPage["results"][number] {
  return {
    id: hit.id,
    channel_id: hit.channel_id,
    author_id: hit.author_id,
    author_username: hit.author_username,
    content: hit.content,
    highlight: hit.highlight,
    created_at: hit.created_at.toISOString(),
    rank: hit.rank,
  };
}
