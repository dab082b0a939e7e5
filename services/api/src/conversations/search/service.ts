import { parseSearchQuery, type SearchPage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { MemberAccess } from "../../access/may.js";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import type { ReadChannel } from "../core/kind.js";
import { isWithoutFilters, resolveFilters } from "./filters.js";
import { filterValue } from "./filters-repository.js";
import { findTimeZone } from "./people-repository.js";
import { findPlaces, type Places } from "./places-repository.js";
import { findHitsInTime, type Hit } from "./repository.js";
import type { DirectSearchQuery, SearchQuery } from "./schema.js";
import { compileTerms } from "./terms-repository.js";

/** Searches of one server or conversation. @param options.queue searches of this process */
export function createSearchService({ database, queue }: { database: Database; queue: FairQueue }) {
  async function find(
    { userId, language }: Asker,
    places: Places,
    place: { serverId: string } | { channelId: string },
    query: DirectSearchQuery,
  ): Promise<SearchPage> {
    const { q, before = null, limit } = query;
    const parsed = parseSearchQuery(q);
    const timeZone = parsed.filters.length === 0 ? "UTC" : await findTimeZone(database, userId);
    const filters = await resolveFilters({ connection: database, userId, places, timeZone }, parsed.filters, query);
    const ofServers = places.servers.flatMap(({ language }) => language ?? []);
    const languages = [...new Set([language, ...ofServers, "en"])];
    const terms = await compileTerms(database, { terms: parsed.terms, filters, languages, isEnglish: true });
    const isElsewhere = filters.channels.length + filters.direct.length === 0;
    if (isElsewhere || (terms.words === null && isWithoutFilters(parsed.filters, query))) return nothing;
    const channelIds = filters.channels.map(({ id }) => id);
    // One more hit than the page shows whether there is a next page.
    const search = { terms, filters: filterValue(filters, userId), before, limit: limit + 1, ...place, channelIds };
    const { total, hits } = await queue.run(userId, () => findHitsInTime(database, search));
    const page = hits.slice(0, limit);
    const has_more = hits.length > limit;
    return { results: page.map(toResult), total, has_more, next_cursor: has_more ? (page.at(-1)?.id ?? null) : null };
  }

  return {
    /** A page of the messages of a server that the caller may view and that match a query. */
    async search({ serverId, userId }: MemberAccess, query: SearchQuery, language: string): Promise<SearchPage> {
      const places = await findPlaces(database, userId, serverId);
      const { channel_id } = query;
      const channels = places.channels.filter(({ id }) => channel_id === undefined || id === channel_id);
      return find({ userId, language }, { ...places, channels }, { serverId }, query);
    },

    /** The same of a channel of direct messages. */
    async searchDirect(
      { userId, channel }: ReadChannel,
      query: DirectSearchQuery,
      language: string,
    ): Promise<SearchPage> {
      const { direct } = await findPlaces(database, userId, null);
      const places = { servers: [], channels: [], direct: direct.filter(({ id }) => id === channel.id) };
      return find({ userId, language }, places, { channelId: channel.id }, query);
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;

/** Who asks, and the language whose forms of words they mean. */
interface Asker {
  userId: string;
  language: string;
}

const nothing: SearchPage = { results: [], total: 0, has_more: false, next_cursor: null };

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
