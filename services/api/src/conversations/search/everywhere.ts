import {
  errorTexts,
  type FoundPage,
  invalidInput,
  type ParsedQuery,
  parseSearchQuery,
  type SearchTerm,
} from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import type { FindAnyMessages } from "../any-message/find.js";
import { isWithoutFilters, type ResolvedFilters, resolveFilters } from "./filters.js";
import { filterValue } from "./filters-repository.js";
import { findMatches, rankMatches, type Wanted } from "./found-repository.js";
import { foundCountedMax } from "./limits.js";
import { findTimeZone } from "./people-repository.js";
import { findPlaces, type Places } from "./places-repository.js";
import { findRanges } from "./ranges-repository.js";
import { inTime, placesOfChannels } from "./repository.js";
import type { EverywhereQuery } from "./schema.js";
import { sourceOf } from "./sources-repository.js";
import { timeOf } from "./spans.js";
import { type CompiledTerms, compileTerms } from "./terms-repository.js";

/** Languages whose forms a search asks for, at most. */
const languagesMax = 4;

/** A query that is ready to be asked. */
interface Prepared {
  filters: ResolvedFilters;
  terms: CompiledTerms;
  places: Places;
  parsed: ParsedQuery;
}

/** Searches everything that somebody may read. @param options.queue searches of this process */
export function createSearchEverywhere(options: {
  database: Database;
  queue: FairQueue;
  findMessages: FindAnyMessages;
}) {
  const { database, queue, findMessages } = options;

  async function prepare(userId: string, query: EverywhereQuery, language: string): Promise<Prepared> {
    const parsed = parseSearchQuery(query.q);
    const places = await findPlaces(database, userId, null);
    const hasDates = parsed.filters.some(({ name }) => name === "before" || name === "after" || name === "on");
    const timeZone = hasDates ? await findTimeZone(database, userId) : "UTC";
    const filters = await resolveFilters({ connection: database, userId, places, timeZone }, parsed.filters, query);
    const ofServers = places.servers.flatMap(({ language }) => language ?? []);
    const languages = [...new Set([language, ...ofServers])].slice(0, languagesMax);
    const terms = await compileTerms(database, { terms: parsed.terms, filters, languages });
    return { filters, terms, places, parsed };
  }

  return async (userId: string, query: EverywhereQuery, language: string): Promise<FoundPage> => {
    const { filters, terms, places, parsed } = await prepare(userId, query, language);
    const channels = filters.channels.map(({ id }) => id);
    const servers = [...new Set(filters.channels.flatMap(({ serverId }) => serverId ?? []))];
    const wanted: Wanted = {
      terms,
      filters: filterValue(filters, userId, query),
      source: sourceOf(filters),
      channels,
      servers,
      places: placesOfChannels(channels, servers),
      direct: filters.direct.map(({ id }) => id),
      since: latest(filters.since, query.newer_than),
      until: earliest(filters.until, query.older_than),
    };
    const isNothing = terms.words === null && isWithoutFilters(parsed.filters, query);
    const found = isNothing
      ? { ids: [], hasMore: false, total: 0 }
      : await queue.run(userId, () => inTime(database, (transaction) => findPage(transaction, wanted, query)));
    const messages = await findMessages(found.ids, userId);
    const listed = found.ids.flatMap((id) => messages.get(id) ?? []);
    const ranges = await findRanges(database, listed, terms);
    const nameOf = new Map([...places.channels, ...places.direct].map(({ id, name }) => [id, name]));
    return {
      results: listed.map((message) => ({
        message,
        channel_name: nameOf.get(message.channel_id) ?? null,
        ranges: ranges.get(message.id) ?? [],
        thread_root_id: "thread_id" in message ? message.thread_id : null,
      })),
      total: Math.min(found.total, foundCountedMax),
      total_is_exact: found.total <= foundCountedMax,
      next: found.hasMore ? (found.ids.at(-1) ?? null) : null,
      query: shownQuery(parsed.terms, filters),
    };
  };
}

export type SearchEverywhere = ReturnType<typeof createSearchEverywhere>;

/** The time of an id is not to the millisecond that of its message. */
const toleranceMs = 60_000;
/** Bounds of the time that is read: by dates and by ids. */
function latest(since: Date | null, newerThan: string | undefined): Date | null {
  const at = newerThan === undefined ? null : timeOf(newerThan);
  return at === null ? since : new Date(Math.max(at - toleranceMs, Number(since ?? 0)));
}
function earliest(until: Date | null, olderThan: string | undefined): Date | null {
  const at = olderThan === undefined ? null : timeOf(olderThan);
  return at === null ? until : new Date(Math.min(at + toleranceMs, Number(until ?? Infinity)));
}

/** A page, and how many matches there are, counted up to one more than the bound. */
async function findPage(
  transaction: Queryable,
  wanted: Wanted,
  { sort, before, limit, offset }: EverywhereQuery,
): Promise<{ ids: string[]; hasMore: boolean; total: number }> {
  const cursor = before ?? null;
  const count = () => findMatches(transaction, wanted, { order: "new", cursor: null, limit: foundCountedMax + 1 });
  const end = offset + limit;
  const cut = (ids: string[], total: number) => ({ ids: ids.slice(offset, end), hasMore: ids.length > end, total });
  if (sort === "relevant") {
    const newest = await count();
    const ranked =
      wanted.terms.rank === ""
        ? newest
        : await rankMatches(transaction, newest.slice(0, foundCountedMax), wanted.terms.rank);
    const start = cursor === null ? 0 : ranked.indexOf(cursor) + 1;
    if (cursor !== null && start === 0) throw invalidInput(errorTexts.before_invalid);
    return cut(ranked.slice(start), newest.length);
  }
  if (cursor === null && sort === "new" && end <= foundCountedMax) {
    const newest = await count();
    return cut(newest, newest.length);
  }
  const page = await findMatches(transaction, wanted, { order: sort, cursor, limit: end + 1 });
  const isAll = cursor === null && page.length <= end;
  return cut(page, isAll ? page.length : (await count()).length);
}

function shownQuery(terms: readonly SearchTerm[], filters: ResolvedFilters): FoundPage["query"] {
  return {
    terms: terms.map(({ text, isPhrase, isExcluded }) => ({ text, phrase: isPhrase, excluded: isExcluded })),
    from: [...(filters.from ?? [])],
    mentions: [...(filters.mentions ?? [])],
    in: [...(filters.in ?? [])],
    server: [...(filters.server ?? [])],
    has: [...filters.has],
    is: [...filters.is],
    since: filters.since?.toISOString() ?? null,
    until: filters.until?.toISOString() ?? null,
  };
}
