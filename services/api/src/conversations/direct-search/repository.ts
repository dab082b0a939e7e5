import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { words } from "../search/highlight.js";
import { withHiddenParts } from "../search/highlight-repository.js";
import { directMatchesRankedMax, matchesCountedMax } from "../search/limits.js";
import { foundRow, type Hits, hitsOf, searchText } from "../search/repository.js";

// As the index has it.
const wordsOfMessage = "to_tsvector('english'::regconfig, search_text(m.content))";

const searchStatement = defineStatement({
  name: "dm_search",
  text: searchText({
    table: "dm_messages",
    matched: `matched AS MATERIALIZED (
      SELECT m.ctid AS row, m.id, m.created_at FROM dm_messages m WHERE ${wordsOfMessage} @@ ${words} AND m.channel_id = $1
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${matchesCountedMax})`,
    search: wordsOfMessage,
    text: "m.content",
    place: "m.channel_id = $1",
    rankedMax: directMatchesRankedMax,
    before: "$3",
    limit: "$4",
  }),
  row: foundRow,
});

/** Finds messages of a channel of direct messages that contain all words, the best of the newest first. */
export async function findDirectHits(
  connection: Queryable,
  search: { channelId: string; words: string; before: string | null; limit: number },
): Promise<Hits> {
  const { channelId, before, limit } = search;
  const rows = await connection.query(searchStatement, [channelId, search.words, before, limit]);
  const { total, hits } = hitsOf(rows);
  return { total, hits: await withHiddenParts(connection, search.words, hits) };
}
