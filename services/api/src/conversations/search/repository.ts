import { errorTexts, invalidInput } from "@parley/contracts";
import { defineStatement, type SqlValue } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { forBoth } from "../core/kind.js";
import { filtersOf } from "./filters-repository.js";
import { highlightOf } from "./highlight.js";
import { withHiddenParts } from "./highlight-repository.js";
import { directMatchesRankedMax, matchesCountedMax, matchesRankedMax } from "./limits.js";
import { directWordsOfBefore, kindsOfBefore, newestMatches, wordsOfBefore } from "./matches-repository.js";
import { isReindexed } from "./reindexing-repository.js";
import type { CompiledTerms } from "./terms-repository.js";

/** PostgreSQL ends a search after this time. */
const searchTimeoutMs = 2_000;
/** More channels than these are found by their server, and matches in others are read for nothing. */
const channelsByIdMax = 4;

/** The columns of every row. */
const ofAll = { total: z.int(), is_lost: z.boolean() };
const hitRow = z.object({
  ...ofAll,
  id: z.string(),
  channel_id: z.string(),
  author_id: z.string().nullable(),
  author_username: z.string().nullable(),
  content: z.string(),
  highlight: z.string(),
  /** The source of the highlight, if it may have spoilers. */
  text_with_bars: z.string().nullable(),
  created_at: z.date(),
  rank: z.number(),
});
/** A message that matches; `total` counts those that do, up to a bound. */
export type Hit = z.infer<typeof hitRow>;

/** Where one kind of messages is searched; SQL of a message `m`. $2 are the words as they are marked. */
interface SearchSource {
  table: "messages" | "dm_messages";
  /**
   * Common table expressions; `matched` has the newest matches: their `row` (a place in the table, which stays valid
   * within a statement), `id` and `created_at`.
   */
  matched: string;
  /** Whether the message matches, and how well. */
  matches: string;
  rank: string;
  /** The text that a hit shows of it. */
  text: string;
  /** Where it has to be. */
  place: string;
  /** The matches that are ranked, the newest ones. */
  rankedMax: number;
  /** Parameters: the cursor and the length of the page. */
  before: string;
  limit: string;
}

/**
 * Only ids and times of everything that matches, ranks of the newest of them, then the page's texts: a rank reads the
 * whole text and costs far more than a time, and a highlight far more than a rank. The
 * parser takes an entity for one token of a kind that is not searched, so none is marked or cut; an address with `&`
 * is another word once escaped, hence the second query of the highlight. A cursor that was deleted since still marks its
 * place while its row is there; one whose row is gone, or that was edited and does not match any more, is lost: its rank is not
 * known. Ids that are none of messages, and those of messages elsewhere or that never matched, find nothing.
 */
const searchText = ({ table, matched, matches, rank, text, place, rankedMax, before, limit }: SearchSource) =>
  `WITH RECURSIVE ${matched},
    ranked AS MATERIALIZED (
      SELECT m.id, m.created_at, ${rank} AS rank
      FROM (SELECT row FROM matched ORDER BY created_at DESC, id DESC LIMIT ${rankedMax}) AS newest
      CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ctid = newest.row OFFSET 0) AS m),
    place AS (
      SELECT ${rank} AS rank, m.created_at, m.id
      FROM ${table} m
      WHERE m.id = ${before} AND ${matches} AND ${place}),
    page AS (
      SELECT id, rank FROM ranked
      WHERE ${before}::uuid IS NULL OR (rank, created_at, id) < (SELECT rank, created_at, id FROM place)
      ORDER BY rank DESC, created_at DESC, id DESC LIMIT ${limit}),
    result AS (
      SELECT m.id, m.channel_id, m.author_id, u.username AS author_username, m.content, m.created_at, page.rank,
        ${highlightOf(text)} AS highlight,
        CASE WHEN ${text} LIKE '%||%||%' THEN ${text} END AS text_with_bars
      FROM page JOIN ${table} m ON m.id = page.id LEFT JOIN users u ON u.id = m.author_id)
    SELECT total.count AS total, ${before}::uuid IS NOT NULL AND uuid_extract_timestamp(${before}) IS NOT NULL
        AND NOT EXISTS (SELECT FROM place) AND NOT EXISTS (
          SELECT FROM ${table} m WHERE m.id = ${before} AND (NOT (${place}) OR m.edited_at IS NULL))
        AS is_lost, result.*
    FROM (SELECT count(*)::integer AS count FROM matched) total LEFT JOIN result ON true
    ORDER BY result.rank DESC, result.created_at DESC, result.id DESC`;

/** Row shape of {@link searchText}; without hits there is one row, with the total alone. */
const foundRow = z.union([hitRow, z.object({ ...ofAll, id: z.null() })]);

/** What a statement searches for, as far as it makes another statement. */
interface Variant {
  /** Without words the filters alone decide. */
  hasWords: boolean;
  /** Whether messages without the words of their language are left. */
  hasBefore: boolean;
  /** Conditions that are not asked for would still be in the plan. */
  hasFilters: boolean;
}

/** SQL of the filters in a parameter, which has its type also where there are none. */
const filtersIn = (value: string, { hasFilters }: Variant) =>
  hasFilters ? filtersOf(value) : forBoth(() => `(${value}::jsonb IS NULL OR true)`);

/**
 * Weights of words as they are written and of forms: the same, as words of before have no forms. So the word that is asked for
 * counts twice.
 */
const weights = "'{0.1, 0.1, 0.1, 0.1}'";

/** SQL of matching and ranking by words; parameters: the words, and the English ones for messages of before. */
function byWords(
  { hasWords, hasBefore }: Variant,
  { words, ranked, before, search }: { words: string; ranked: string; before: string; search: string },
) {
  if (!hasWords) return { matches: "true", rank: "0::real" };
  const own = { matches: `m.search @@ ${words}`, rank: `ts_rank(${weights}, m.search, ${ranked})` };
  if (!hasBefore) return own;
  return {
    matches: `CASE WHEN m.language IS NULL THEN ${search} @@ ${before} ELSE ${own.matches} END`,
    rank: `CASE WHEN m.language IS NULL THEN ts_rank(${search}, ${before}) ELSE ${own.rank} END`,
  };
}

/**
 * $1 server, $2 words as they are marked, $3 channels, $4 cursor, $5 rows, $6 the ids that find the messages: the channels, or
 * the server; $7 filters, $8 words, $9 the same for the rank, $10 what the index knows of them, $11 English words.
 */
const serverSearch = (name: string, variant: Variant) => {
  const filters = filtersIn("$7", variant).channel;
  const [words, ranked, before] = ["$8::tsquery", "$9::tsquery", "$11::tsquery"];
  const kinds = [
    {
      are: `m.language IS NOT NULL AND (m.search @@ ${words}) IS TRUE AND ${filters}`,
      search: "m.search",
      words: "$10::tsquery",
    },
    ...kindsOfBefore.map(({ are, search }) => ({
      are: `${are} AND ${filters}`,
      search,
      words: before,
    })),
  ];
  return defineStatement({
    name,
    text: searchText({
      ...byWords(variant, { words, ranked, before, search: wordsOfBefore }),
      table: "messages",
      matched: newestMatches({
        kinds: variant.hasWords ? kinds.slice(0, variant.hasBefore ? undefined : 1) : [{ are: filters }],
        channels: "$3::uuid[]",
        places: "$6::uuid[]",
      }),
      text: "concat_ws(' ', m.content, m.embed_texts)",
      place: "m.server_id = $1 AND m.channel_id = ANY($3::uuid[])",
      rankedMax: matchesRankedMax,
      before: "$4",
      limit: "$5",
    }),
    row: foundRow,
  });
};

/** $1 channel, $2 words as they are marked, $3 cursor, $4 rows, $5 filters, $6 words, $7 the same for the rank, $8 what the index knows of them, $9 English words. */
const directSearch = (name: string, variant: Variant) => {
  const filters = filtersIn("$5", variant).direct;
  const { matches, rank } = byWords(variant, {
    words: "$6::tsquery",
    ranked: "$7::tsquery",
    before: "$9::tsquery",
    search: directWordsOfBefore,
  });
  const kinds = !variant.hasWords
    ? ["true"]
    : [
        "m.language IS NOT NULL AND m.search @@ $8::tsquery AND (m.search @@ $6::tsquery) IS TRUE",
        ...(variant.hasBefore ? [`m.language IS NULL AND ${directWordsOfBefore} @@ $9::tsquery`] : []),
      ];
  const found = kinds.map(
    (are) => `(SELECT m.ctid AS row, m.id, m.created_at FROM dm_messages m
        WHERE ${are} AND ${filters} AND m.channel_id = $1
        ORDER BY m.created_at DESC, m.id DESC LIMIT ${matchesCountedMax})`,
  );
  return defineStatement({
    name,
    text: searchText({
      ...{ matches, rank },
      table: "dm_messages",
      matched: `matched AS MATERIALIZED (
      SELECT m.* FROM (${found.join(" UNION ALL ")}) AS m ORDER BY m.created_at DESC, m.id DESC LIMIT ${matchesCountedMax})`,
      text: "m.content",
      place: "m.channel_id = $1",
      rankedMax: directMatchesRankedMax,
      before: "$3",
      limit: "$4",
    }),
    row: foundRow,
  });
};

const statementsOf = (make: typeof serverSearch, prefix: string) => ({
  words: make(`${prefix}search`, { hasWords: true, hasBefore: false, hasFilters: false }),
  wordsAndFilters: make(`${prefix}search_both`, { hasWords: true, hasBefore: false, hasFilters: true }),
  before: make(`${prefix}search_before`, { hasWords: true, hasBefore: true, hasFilters: true }),
  filters: make(`${prefix}search_filters`, { hasWords: false, hasBefore: false, hasFilters: true }),
});
/** Exported for the test of what they read. */
export const searchStatements = {
  server: statementsOf(serverSearch, ""),
  direct: statementsOf(directSearch, "dm_"),
};

/** For the rest of the transaction; elsewhere statements have far more time. */
const timeoutStatement = defineStatement({
  name: "search_timeout",
  text: "SELECT set_config('statement_timeout', $1, true)",
});

/** The words, and the place of the page. */
interface Search {
  terms: CompiledTerms;
  /** Value of `filterValue`. */
  filters: string | null;
  /** Id of the last message already held, null for the first page. */
  before: string | null;
  limit: number;
}

/** In channels of a server. */
export interface ServerSearch extends Search {
  serverId: string;
  channelIds: readonly string[];
}

/** In a channel of direct messages. */
interface DirectSearch extends Search {
  channelId: string;
}

/** A page of hits, the best first. */
export interface Hits {
  total: number;
  hits: Hit[];
}

/** Finds messages of a server, or of a channel of direct messages, that contain all words, the best of the newest first. */
export async function findHits(connection: Queryable, search: ServerSearch | DirectSearch): Promise<Hits> {
  const { terms, filters, before, limit } = search;
  const hasBefore = terms.words !== null && !(await isReindexed(connection));
  const indexed = filters === null ? "words" : "wordsAndFilters";
  const variant = terms.words === null ? "filters" : hasBefore ? "before" : indexed;
  const words: SqlValue[] =
    terms.words === null
      ? []
      : [terms.words, terms.rank, terms.indexed ?? terms.words, ...(hasBefore ? [terms.before ?? ""] : [])];
  const marked = terms.wanted.map(({ term }) => term.text).join(" ");
  const values: SqlValue[] =
    "serverId" in search
      ? [
          search.serverId,
          marked,
          search.channelIds,
          before,
          limit,
          placesOfChannels(search.channelIds, [search.serverId]),
        ]
      : [search.channelId, marked, before, limit];
  const statement = searchStatements["serverId" in search ? "server" : "direct"][variant];
  const { total, hits } = hitsOf(await connection.query(statement, [...values, filters, ...words]));
  return { total, hits: await withHiddenParts(connection, marked, hits) };
}

/**
 * The same with a bound of its own on its time.
 *
 * @throws an error that counts as unavailable when the search takes too long
 */
export function findHitsInTime(database: Database, search: ServerSearch | DirectSearch): Promise<Hits> {
  return inTime(database, (transaction) => findHits(transaction, search));
}

/** Reads in a transaction whose statements have little time. */
export function inTime<T>(database: Database, read: (transaction: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.execute(timeoutStatement, [String(searchTimeoutMs)]);
    return read(transaction);
  });
}

/** The ids by which messages of channels are found: few channels', or those of their servers. */
export function placesOfChannels(channelIds: readonly string[], serverIds: readonly string[]): readonly string[] {
  return channelIds.length > channelsByIdMax ? [...new Set(serverIds)] : channelIds;
}

/**
 * The page in rows of {@link foundRow}.
 *
 * @throws ServiceError 400 when its cursor is lost: an empty page would look like the end
 */
function hitsOf(rows: readonly z.infer<typeof foundRow>[]): Hits {
  if (rows[0]?.is_lost === true) throw invalidInput(errorTexts.before_invalid);
  return { total: rows[0]?.total ?? 0, hits: rows.flatMap((row) => (row.id === null ? [] : [row])) };
}
