import { type Connection, defineStatement } from "@parley/database";
import { z } from "zod";

/** SQL that escapes an expression for HTML, so that the marks are the only markup in a highlight. */
const escaped = (expression: string) =>
  [
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["''", "&#39;"],
  ].reduce((inner, [character, entity]) => `replace(${inner}, '${character}', '${entity}')`, expression);

const hitRow = z.object({
  total: z.int(),
  id: z.string(),
  channel_id: z.string(),
  author_id: z.string().nullable(),
  author_username: z.string().nullable(),
  content: z.string(),
  highlight: z.string(),
  created_at: z.date(),
  rank: z.number(),
});
/** A message that matches; `total` counts all that do. */
export type Hit = z.infer<typeof hitRow>;

const words = "plainto_tsquery('english', $2)";

/**
 * Only ids and ranks of everything that matches, then the page's texts: a highlight costs far more than a rank. The
 * parser takes an entity for one token of a kind that is not searched, so none is marked or cut; an address with `&`
 * is another word once escaped, hence the second query of the highlight. A cursor that was deleted since still marks
 * its place.
 */
const searchStatement = defineStatement({
  name: "search",
  text: `WITH matched AS MATERIALIZED (
      SELECT m.id, m.created_at, ts_rank(m.search, ${words}) AS rank
      FROM messages m
      WHERE m.server_id = $1 AND m.search @@ ${words} AND NOT m.deleted AND m.channel_id = ANY($3::uuid[])),
    place AS (
      SELECT ts_rank(m.search, ${words}) AS rank, m.created_at, m.id
      FROM messages m
      WHERE m.id = $4 AND m.server_id = $1 AND m.search @@ ${words} AND m.channel_id = ANY($3::uuid[])),
    page AS (
      SELECT id, rank FROM matched
      WHERE $4::uuid IS NULL OR (rank, created_at, id) < (SELECT rank, created_at, id FROM place)
      ORDER BY rank DESC, created_at DESC, id DESC LIMIT $5),
    result AS (
      SELECT m.id, m.channel_id, m.author_id, u.username AS author_username, m.content, m.created_at, page.rank,
        ts_headline('english', ${escaped("m.content")}, ${words} || plainto_tsquery('english', ${escaped("$2")}),
          'StartSel=<mark>, StopSel=</mark>') AS highlight
      FROM page JOIN messages m ON m.id = page.id LEFT JOIN users u ON u.id = m.author_id)
    SELECT total.count AS total, result.*
    FROM (SELECT count(*)::integer AS count FROM matched) total LEFT JOIN result ON true
    ORDER BY result.rank DESC, result.created_at DESC, result.id DESC`,
  row: z.union([hitRow, z.object({ total: z.int(), id: z.null() })]),
});

/**
 * Finds messages of a server that contain all words, the best first.
 *
 * @param search.channelIds where to look
 * @param search.before id of the last message already held, null for the first page
 */
export async function findHits(
  connection: Connection,
  search: { serverId: string; words: string; channelIds: readonly string[]; before: string | null; limit: number },
): Promise<{ total: number; hits: Hit[] }> {
  const { serverId, words, channelIds, before, limit } = search;
  const rows = await connection.query(searchStatement, [serverId, words, channelIds, before, limit]);
  return { total: rows[0]?.total ?? 0, hits: rows.flatMap((row) => (row.id === null ? [] : [row])) };
}
