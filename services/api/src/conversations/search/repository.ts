import { errorTexts, invalidInput } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database, Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { highlightOf, words } from "./highlight.js";
import { withHiddenParts } from "./highlight-repository.js";
import { directMatchesRankedMax, matchesCountedMax, matchesRankedMax } from "./limits.js";
import { newestMatches } from "./matches-repository.js";

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

/** Where one kind of messages is searched; SQL of a message `m`. $2 are the words. */
interface SearchSource {
  table: "messages" | "dm_messages";
  /**
   * Common table expressions; `matched` has the newest matches: their `row` (a place in the table, which stays valid
   * within a statement), `id` and `created_at`.
   */
  matched: string;
  /** The words of the message. */
  search: string;
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
const searchText = ({ table, matched, search, text, place, rankedMax, before, limit }: SearchSource) =>
  `WITH RECURSIVE ${matched},
    ranked AS MATERIALIZED (
      SELECT m.id, m.created_at, ts_rank(${search}, ${words}) AS rank
      FROM (SELECT row FROM matched ORDER BY created_at DESC, id DESC LIMIT ${rankedMax}) AS newest
      JOIN ${table} m ON m.ctid = newest.row),
    place AS (
      SELECT ts_rank(${search}, ${words}) AS rank, m.created_at, m.id
      FROM ${table} m
      WHERE m.id = ${before} AND ${search} @@ ${words} AND ${place}),
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

const withEmbeds = "m.embed_texts IS NOT NULL";
const ownWords = "m.search";
const wordsWithEmbeds = "to_tsvector('english'::regconfig, m.content || ' ' || m.embed_texts)";
/** Messages with words beside signs, in other scripts and with accents, which the English parser does not find. */
const wholeText = "m.content || coalesce(' ' || m.embed_texts, '')";
const withMore = `has_search_text(${wholeText})`;
const wordsWithMore = `to_tsvector('english'::regconfig, search_text(${wholeText}))`;

/**
 * $1 server, $2 words, $3 channels, $4 cursor, $5 rows, $6 the ids that find the messages: the channels, or the server.
 */
export const searchStatement = defineStatement({
  name: "search",
  text: searchText({
    table: "messages",
    matched: newestMatches({
      kinds: [
        { are: `NOT (${withEmbeds}) AND NOT ${withMore}`, search: ownWords },
        { are: `${withEmbeds} AND NOT ${withMore}`, search: wordsWithEmbeds },
        { are: withMore, search: wordsWithMore },
      ],
      words,
      channels: "$3::uuid[]",
      places: "$6::uuid[]",
    }),
    search: `CASE WHEN ${withMore} THEN ${wordsWithMore} WHEN ${withEmbeds} THEN ${wordsWithEmbeds} ELSE ${ownWords} END`,
    text: "concat_ws(' ', m.content, m.embed_texts)",
    place: "m.server_id = $1 AND m.channel_id = ANY($3::uuid[])",
    rankedMax: matchesRankedMax,
    before: "$4",
    limit: "$5",
  }),
  row: foundRow,
});

/** As the index has it. */
const wordsOfDirect = "to_tsvector('english'::regconfig, search_text(m.content))";

/** $1 channel, $2 words, $3 cursor, $4 rows. */
const directSearchStatement = defineStatement({
  name: "dm_search",
  text: searchText({
    table: "dm_messages",
    matched: `matched AS MATERIALIZED (
      SELECT m.ctid AS row, m.id, m.created_at FROM dm_messages m WHERE ${wordsOfDirect} @@ ${words} AND m.channel_id = $1
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${matchesCountedMax})`,
    search: wordsOfDirect,
    text: "m.content",
    place: "m.channel_id = $1",
    rankedMax: directMatchesRankedMax,
    before: "$3",
    limit: "$4",
  }),
  row: foundRow,
});

/** For the rest of the transaction; elsewhere statements have far more time. */
const timeoutStatement = defineStatement({
  name: "search_timeout",
  text: "SELECT set_config('statement_timeout', $1, true)",
});

/** The words, and the place of the page. */
interface Search {
  words: string;
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
  const rows = await ("serverId" in search ? findInServer(connection, search) : findDirect(connection, search));
  const { total, hits } = hitsOf(rows);
  return { total, hits: await withHiddenParts(connection, search.words, hits) };
}

/**
 * The same with a bound of its own on its time.
 *
 * @throws an error that counts as unavailable when the search takes too long
 */
export function findHitsInTime(database: Database, search: ServerSearch | DirectSearch): Promise<Hits> {
  return database.transaction(async (transaction) => {
    await transaction.execute(timeoutStatement, [String(searchTimeoutMs)]);
    return findHits(transaction, search);
  });
}

function findInServer(connection: Queryable, { serverId, words, channelIds, before, limit }: ServerSearch) {
  const places = channelIds.length > channelsByIdMax ? [serverId] : channelIds;
  return connection.query(searchStatement, [serverId, words, channelIds, before, limit, places]);
}

function findDirect(connection: Queryable, { channelId, words, before, limit }: DirectSearch) {
  return connection.query(directSearchStatement, [channelId, words, before, limit]);
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
