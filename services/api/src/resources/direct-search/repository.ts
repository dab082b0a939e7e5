import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { directMatchesRankedMax } from "../search/limits.js";
import { foundRow, type Hits, hitsOf, searchText } from "../search/repository.js";

const searchStatement = defineStatement({
  name: "dm_search",
  text: searchText({
    table: "dm_messages",
    // As the index has it.
    search: "to_tsvector('english'::regconfig, m.content)",
    text: "m.content",
    place: "m.channel_id = $1",
    isFound: "true",
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
  const { channelId, words, before, limit } = search;
  return hitsOf(await connection.query(searchStatement, [channelId, words, before, limit]));
}
