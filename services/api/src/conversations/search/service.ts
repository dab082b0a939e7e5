import type { SearchPage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { MemberAccess } from "../../access/may.js";
import { findViewableChannels } from "../../access/repository.js";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import type { ReadChannel } from "../core/kind.js";
import { findHitsInTime, type Hit } from "./repository.js";
import type { DirectSearchQuery, SearchQuery } from "./schema.js";

/** @param options.queue searches of this process */
export function createSearchService({ database, queue }: { database: Database; queue: FairQueue }) {
  const find = async (
    userId: string,
    place: { serverId: string; channelIds: readonly string[] } | { channelId: string },
    query: DirectSearchQuery,
  ): Promise<SearchPage> => {
    const { q: words, before = null, limit } = query;
    // One more hit than the page shows whether there is a next page.
    const search = { ...place, words, before, limit: limit + 1 };
    const { total, hits } = await queue.run(userId, () => findHitsInTime(database, search));
    const page = hits.slice(0, limit);
    const has_more = hits.length > limit;
    return { results: page.map(toResult), total, has_more, next_cursor: has_more ? (page.at(-1)?.id ?? null) : null };
  };

  return {
    /** A page of the messages of a server that the caller may view and that contain all words of a query. */
    async search({ serverId, userId }: MemberAccess, query: SearchQuery): Promise<SearchPage> {
      const viewable = (await findViewableChannels(database, serverId, userId)).map((channel) => channel.id);
      const { channel_id } = query;
      const channelIds = channel_id === undefined ? viewable : viewable.filter((id) => id === channel_id);
      return find(userId, { serverId, channelIds }, query);
    },

    /** The same of a channel of direct messages. */
    searchDirect: ({ userId, channel }: ReadChannel, query: DirectSearchQuery): Promise<SearchPage> =>
      find(userId, { channelId: channel.id }, query),
  };
}

export type SearchService = ReturnType<typeof createSearchService>;

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
