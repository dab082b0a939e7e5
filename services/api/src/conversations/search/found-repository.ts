import { defineStatement, type RawRow, type SqlValue, type Statement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { filtersOf } from "./filters-repository.js";
import { directWordsOfBefore, keysOf, kindsOfBefore, searchKeys } from "./matches-repository.js";
import { isReindexedColumn } from "./reindexing-repository.js";
import { isFrom, type Source, sourceNames } from "./sources-repository.js";
import { divide, idsOf, type Span, searchedSpan, type TimeOrder } from "./spans.js";
import type { CompiledTerms } from "./terms-repository.js";

/** A search of everything. */
export interface Wanted {
  terms: CompiledTerms;
  /** Value of `filterValue`, and the filter among them that leads to the fewest messages. */
  filters: string | null;
  source: Source | null;
  /** Ids of channels of servers, of these servers, and those by which messages are found: either of both. */
  channels: readonly string[];
  servers: readonly string[];
  places: readonly string[];
  direct: readonly string[];
  since: Date | null;
  until: Date | null;
}

const orders = { new: { direction: "DESC", beyond: "<" }, old: { direction: "ASC", beyond: ">" } } as const;

/** SQL: whether a message matches; the condition that the index serves, and the whole one as a filter behind it. */
const exactly = (words: string, indexed: string) =>
  `m.language IS NOT NULL AND (${indexed} IS NULL OR m.search @@ ${indexed}) AND (m.search @@ ${words}) IS TRUE`;

/** The reply of a deleted message is not found. */
const isReachable = `(m.thread_id IS NULL OR NOT EXISTS (
      SELECT FROM messages root WHERE root.id = m.thread_id AND root.deleted))`;

/**
 * How messages of channels are found. By `keys` of their places and times; by their `source`, that is rows beside them; or by
 * their `server` and words alone, without regard to the time: that reads all matches, but few entries of the index.
 */
type Way = "keys" | "server" | Source;
interface Variant {
  hasWords: boolean;
  /** Whether messages of before are left. */
  hasBefore: boolean;
  way: Way;
  order: TimeOrder;
}

/** Values of the placeholders. */
const valueNames: readonly string[] = [
  ...["channels", "servers", "places", "filters", "cursor", "limit", "first", "last", "firstId", "endId"],
  ...["words", "indexed", "before"],
];
type Values = Record<string, SqlValue>;
interface Found {
  statement: Statement<string>;
  names: readonly string[];
}
const idOf = ({ id }: RawRow) => String(id);

/** A statement with names such as `$:words` for placeholders. It is planned for the values of each search: neither channels nor words are the same. */
function defineFound(name: string, written: string): Found {
  const names = valueNames.filter((each) => new RegExp(`\\$:${each}\\b`).test(written));
  const text = written.replace(/\$:(\w+)/g, (_, each: string) => `$${names.indexOf(each) + 1}`);
  return { statement: defineStatement({ name, text, isPlannedEachTime: true, row: idOf }), names };
}

/** The channels are a filter alone: their index would be read whole beside the one of the span. */
function channelText({ hasWords, hasBefore, way, order }: Variant): string {
  const { direction, beyond } = orders[order];
  const ordered = `ORDER BY m.created_at ${direction}, m.id ${direction} LIMIT $:limit::integer`;
  const within = `m.id >= $:firstId::uuid AND m.id < $:endId::uuid`;
  const keys = `${searchKeys} && ${keysOf({ first: "$:first::integer", last: "$:last::integer", places: "$:places::uuid[]" })}`;
  const source = (name: Source) =>
    isFrom(name, { filters: "$:filters", channels: "$:channels", first: "$:firstId", end: "$:endId" });
  const place = way === "keys" ? keys : way === "server" ? `m.server_id = place.id AND ${within}` : source(way);
  const kind = (are: string) => `(SELECT m.id, m.created_at FROM messages m
      WHERE ${place} AND ${are} AND NOT m.deleted
        AND (m.channel_id = ANY ($:channels::uuid[])) IS TRUE AND ${isReachable} AND ${filtersOf("$:filters").channel}
        AND ($:cursor::uuid IS NULL OR m.id ${beyond} $:cursor::uuid) ${ordered})`;
  const kinds = hasWords
    ? [
        exactly("$:words::tsquery", "$:indexed::tsquery"),
        ...(hasBefore ? kindsOfBefore.map(({ are, search }) => `${are} AND ${search} @@ $:before::tsquery`) : []),
      ]
    : ["true"];
  const found = kinds.map(kind).join(" UNION ALL ");
  const places = way === "server" ? "unnest($:servers::uuid[]) AS place (id) CROSS JOIN LATERAL " : "";
  return `SELECT m.id FROM ${places}(${found}) AS m ${ordered}`;
}

function directText({ hasWords, hasBefore, order }: Omit<Variant, "way">): string {
  const { direction, beyond } = orders[order];
  const ordered = `ORDER BY m.created_at ${direction}, m.id ${direction} LIMIT $:limit::integer`;
  const kind = (are: string) => `(SELECT m.id, m.created_at FROM dm_messages m
      WHERE m.channel_id = ANY ($:channels::uuid[]) AND ${are} AND ${filtersOf("$:filters").direct}
        AND ($:cursor::uuid IS NULL OR m.id ${beyond} $:cursor::uuid) ${ordered})`;
  const kinds = hasWords
    ? [
        exactly("$:words::tsquery", "$:indexed::tsquery"),
        ...(hasBefore ? [`m.language IS NULL AND ${directWordsOfBefore} @@ $:before::tsquery`] : []),
      ]
    : ["true"];
  return `SELECT m.id FROM (${kinds.map(kind).join(" UNION ALL ")}) AS m ${ordered}`;
}

const nameOf = ({ hasWords, hasBefore, way, order }: Variant) =>
  `${way}_${hasBefore ? "words_before" : hasWords ? "words" : "all"}_${order}`.replace(":", "_");

const statements = new Map<string, { channel: Found; direct: Found }>();
for (const way of ["keys", "server", ...sourceNames] as const) {
  for (const [hasWords, hasBefore] of [
    [true, false],
    [true, true],
    [false, false],
  ] as const) {
    for (const order of ["new", "old"] as const) {
      const variant = { hasWords, hasBefore, way, order };
      const name = nameOf(variant);
      statements.set(name, {
        channel: defineFound(`search_found_${name}`, channelText(variant)),
        direct: defineFound(`dm_search_found_${name}`, directText(variant)),
      });
    }
  }
}

const stateStatement = defineStatement({
  name: "search_state",
  text: `SELECT ${isReindexedColumn} AS is_reindexed,
    (SELECT uuid_extract_timestamp(id) FROM messages ORDER BY id LIMIT 1) AS oldest,
    (SELECT uuid_extract_timestamp(id) FROM messages ORDER BY id DESC LIMIT 1) AS newest`,
  row: z.object({ is_reindexed: z.boolean(), oldest: z.date().nullable(), newest: z.date().nullable() }),
});

const rankStatement = defineStatement({
  name: "search_ranks",
  text: `SELECT m.id FROM (
      SELECT id, ts_rank('{0.1, 0.1, 0.1, 0.1}', coalesce(search, ''), $2::tsquery) AS rank FROM messages WHERE id = ANY ($1::uuid[])
      UNION ALL
      SELECT id, ts_rank('{0.1, 0.1, 0.1, 0.1}', coalesce(search, ''), $2::tsquery) AS rank FROM dm_messages WHERE id = ANY ($1::uuid[])) AS m
    ORDER BY m.rank DESC, m.id DESC`,
  row: idOf,
});

/** Keys of places that one statement looks up, at most: for each match the index goes through all of them. */
const keysMax = 200;
/** Words of fewer matches than this, as the first periods let expect, are read from the index of their servers. */
const fewMatchesMax = 4_000;
/** Before that, so many periods have been read. */
const periodsReadMin = 7;

/**
 * Ids of messages that match, in the order of time. Messages of channels are read in spans of time, each twice as long as the one
 * before: so neither a word in every message is read more often than asked for, nor a word in a few of a million needs many
 * statements.
 *
 * @param page.cursor the messages behind this one, null for all
 */
export async function findMatches(
  connection: Queryable,
  wanted: Wanted,
  page: { order: TimeOrder; cursor: string | null; limit: number },
): Promise<string[]> {
  const [state] = await connection.query(stateStatement, []);
  if (state === undefined) throw new Error("A SELECT without a table returned no row");
  const { terms, source, places, servers } = wanted;
  const hasWords = terms.words !== null;
  const hasBefore = !state.is_reindexed && hasWords;
  const find = (kind: "channel" | "direct", way: Way, values: Values) => {
    const found = statements.get(nameOf({ hasWords, hasBefore, way, order: page.order }))?.[kind];
    if (found === undefined) throw new Error(`No search goes by ${way}`);
    const all: Values = {
      ...{ words: terms.words, indexed: terms.indexed, before: terms.before ?? "" },
      ...{ filters: wanted.filters, cursor: page.cursor, servers, places, ...values },
    };
    return connection.query(
      found.statement,
      found.names.map((name) => all[name] ?? null),
    );
  };
  const found =
    wanted.direct.length === 0 ? [] : await find("direct", "keys", { channels: wanted.direct, limit: page.limit });
  let ofChannels = 0;
  let read = 0;
  let way: Way = source ?? "keys";
  let rest: Span | null = wanted.channels.length === 0 ? null : searchedSpan(wanted, state, page);
  for (let length = 1; rest !== null && ofChannels < page.limit; length *= 2) {
    const left = rest[1] - rest[0] + 1;
    const isRare = read >= periodsReadMin && (ofChannels / read) * left <= fewMatchesMax;
    if (way === "keys" && hasWords && !hasBefore && isRare && left * places.length > servers.length) way = "server";
    const longest = way === "keys" ? Math.max(1, Math.floor(keysMax / places.length)) : length;
    const [span, after]: [Span, Span | null] = divide(
      rest,
      way === "server" ? left : Math.min(length, longest),
      page.order,
    );
    const [first, last] = span;
    const [firstId, endId] = idsOf(span);
    const ids = await find("channel", way, {
      ...{ channels: wanted.channels, limit: page.limit - ofChannels },
      ...{ first, last, firstId, endId },
    });
    ofChannels += ids.length;
    read += last - first + 1;
    rest = after;
    found.push(...ids);
  }
  found.sort();
  return (page.order === "new" ? found.reverse() : found).slice(0, page.limit);
}

/** The same messages, the best first. */
export function rankMatches(connection: Queryable, ids: readonly string[], words: string): Promise<string[]> {
  return connection.query(rankStatement, [ids, words]);
}
