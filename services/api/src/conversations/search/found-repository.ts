import { defineStatement, type RawRow, type SqlValue, type Statement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { forBoth } from "../core/kind.js";
import { filtersOf } from "./filters-repository.js";
import { directWordsOfBefore, keysOf, kindsOfBefore, periodOf, searchKeys } from "./matches-repository.js";
import { isReindexedColumn } from "./reindexing-repository.js";
import type { CompiledTerms } from "./terms-repository.js";

/** The order of results by time. */
export type TimeOrder = "new" | "old";

/** A search of everything. */
export interface Wanted {
  terms: CompiledTerms;
  /** Value of `filterValue`. */
  filters: string | null;
  /** Ids of channels of servers, and those by which their messages are found: the same, or the servers'. */
  channels: readonly string[];
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
 * The channels are a filter alone: their index would be read whole beside the one of the span.
 *
 * $1 channels, $2 filters, $3 cursor, $4 rows, $5 and $6 the span, $7 places, $8 words, $9 what the index knows of them, $10 English words.
 */
const channelText = (order: TimeOrder, { hasWords, hasBefore }: Variant) => {
  const { direction, beyond } = orders[order];
  const ordered = `ORDER BY m.created_at ${direction}, m.id ${direction} LIMIT $4::integer`;
  const kind = (are: string) => `(SELECT m.id, m.created_at FROM messages m
      WHERE ${searchKeys} && ${keysOf({ first: "$5::integer", last: "$6::integer", places: "$7::uuid[]" })} AND ${are} AND NOT m.deleted
        AND (m.channel_id = ANY ($1::uuid[])) IS TRUE AND ${isReachable} AND ${filtersOf("$2").channel}
        AND ($3::uuid IS NULL OR m.id ${beyond} $3::uuid) ${ordered})`;
  const kinds = hasWords
    ? [
        exactly("$8::tsquery", "$9::tsquery"),
        ...(hasBefore ? kindsOfBefore.map(({ are, search }) => `${are} AND ${search} @@ $10::tsquery`) : []),
      ]
    : ["true"];
  return `SELECT m.id FROM (${kinds.map(kind).join(" UNION ALL ")}) AS m ${ordered}`;
};

/** $1 channels, $2 filters, $3 cursor, $4 rows, $5 words, $6 what the index knows of them, $7 English words. */
const directText = (order: TimeOrder, { hasWords, hasBefore }: Variant) => {
  const { direction, beyond } = orders[order];
  const ordered = `ORDER BY m.created_at ${direction}, m.id ${direction} LIMIT $4::integer`;
  const kind = (are: string) => `(SELECT m.id, m.created_at FROM dm_messages m
      WHERE m.channel_id = ANY ($1::uuid[]) AND ${are} AND ${filtersOf("$2").direct}
        AND ($3::uuid IS NULL OR m.id ${beyond} $3::uuid) ${ordered})`;
  const kinds = hasWords
    ? [
        exactly("$5::tsquery", "$6::tsquery"),
        ...(hasBefore ? [`m.language IS NULL AND ${directWordsOfBefore} @@ $7::tsquery`] : []),
      ]
    : ["true"];
  return `SELECT m.id FROM (${kinds.map(kind).join(" UNION ALL ")}) AS m ${ordered}`;
};

interface Variant {
  hasWords: boolean;
  /** Whether messages of before are left. */
  hasBefore: boolean;
}

const variants: readonly (Variant & { name: string })[] = [
  { name: "words", hasWords: true, hasBefore: false },
  { name: "words_before", hasWords: true, hasBefore: true },
  { name: "all", hasWords: false, hasBefore: false },
];
const idOf = ({ id }: RawRow) => String(id);
/** Planned for the values of each search: neither channels nor words are the same. */
const statements = forBoth((prefix, kind) => {
  const text = kind === "channel" ? channelText : directText;
  return new Map(
    variants.flatMap((variant) =>
      (["new", "old"] as const).map((order): [string, Statement<string>] => {
        const name = `${prefix}search_found_${variant.name}_${order}`;
        return [
          nameOf(variant, order),
          defineStatement({ name, text: text(order, variant), isPlannedEachTime: true, row: idOf }),
        ];
      }),
    ),
  );
});

function nameOf({ hasWords, hasBefore }: Variant, order: TimeOrder): string {
  return `${hasWords} ${hasWords && hasBefore} ${order}`;
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

/** Keys of places that one statement looks up, at most: each is a descent into the index. */
const keysMax = 4_096;

/**
 * Ids of messages that match, in the order of time.
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
  const hasBefore = !state.is_reindexed && wanted.terms.words !== null;
  const variant = nameOf({ hasWords: wanted.terms.words !== null, hasBefore }, page.order);
  const [channel, direct] = [statements.channel.get(variant), statements.direct.get(variant)];
  if (channel === undefined || direct === undefined) throw new Error(`No search is named ${variant}`);
  const words: SqlValue[] = wanted.terms.words === null ? [] : [wanted.terms.words, wanted.terms.indexed];
  if (hasBefore) words.push(wanted.terms.before ?? "");
  const rows = (limit: number): SqlValue[] => [wanted.filters, page.cursor, limit];
  const found =
    wanted.direct.length === 0 ? [] : await connection.query(direct, [wanted.direct, ...rows(page.limit), ...words]);
  let ofChannels = 0;
  for (const [first, last] of spans(wanted, state, page)) {
    if (ofChannels >= page.limit) break;
    const span = [first, last, wanted.places];
    const ids = await connection.query(channel, [wanted.channels, ...rows(page.limit - ofChannels), ...span, ...words]);
    ofChannels += ids.length;
    found.push(...ids);
  }
  found.sort();
  return (page.order === "new" ? found.reverse() : found).slice(0, page.limit);
}

/** The same messages, the best first. */
export function rankMatches(connection: Queryable, ids: readonly string[], words: string): Promise<string[]> {
  return connection.query(rankStatement, [ids, words]);
}

/**
 * Spans of time from one end of what is searched to the other, each twice as long as the one before: so neither a word in
 * every message is read more often than asked for, nor a word in a few of a million needs many statements.
 */
function* spans(
  { channels, places, since, until }: Wanted,
  { oldest, newest }: { oldest: Date | null; newest: Date | null },
  { order, cursor }: { order: TimeOrder; cursor: string | null },
): Generator<[first: number, last: number]> {
  if (channels.length === 0 || oldest === null || newest === null) return;
  const at = cursor === null ? null : timeOf(cursor);
  const ends = [oldest, newest].map((end) => end.getTime());
  const first = periodOf(new Date(Math.max(ends[0] ?? 0, since?.getTime() ?? 0, order === "old" ? (at ?? 0) : 0)));
  const last = periodOf(
    new Date(Math.min(ends[1] ?? 0, until?.getTime() ?? Infinity, order === "new" ? (at ?? Infinity) : Infinity)),
  );
  const longest = Math.max(1, Math.floor(keysMax / places.length));
  for (let length = 1, done = 0; done <= last - first; done += length, length = Math.min(2 * length, longest)) {
    if (order === "new") yield [Math.max(last - done - length + 1, first), last - done];
    else yield [first + done, Math.min(first + done + length - 1, last)];
  }
}

/** The milliseconds that an id has; null for one of another kind. */
function timeOf(id: string): number | null {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}
