import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { searchesWaitingMax } from "./limits.js";

/** A filtered word. The id is a UUIDv7, which contains the time when it was added. */
export interface FilteredWord {
  id: string;
  word: string;
}

/**
 * Finds the word that was inserted first among those that one of the texts contains, without holding the list.
 *
 * @param texts lower-cased
 */
export type SearchWords = (serverId: string, texts: readonly string[]) => Promise<FilteredWord | null>;

const searchStatement = defineStatement({
  name: "automod_search_words",
  text: `SELECT w.id, w.word FROM automod_words w
    WHERE w.server_id = $1 AND EXISTS (SELECT FROM unnest($2::text[]) AS t (text) WHERE strpos(t.text, w.word) > 0)
    ORDER BY w.id LIMIT 1`,
  row: z.object({ id: z.string(), word: z.string() }),
});

/**
 * Runs one search at a time, so that long lists occupy one database connection of the process. While
 * {@link searchesWaitingMax} searches wait, further ones fail at once, and their messages are judged late.
 */
export function createSearchWords({ database }: { database: Database }): SearchWords {
  let latest: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (serverId, texts) => {
    if (waiting >= searchesWaitingMax) throw new Error("Too many messages wait for long word lists");
    waiting += 1;
    const search = latest.then(() => database.query(searchStatement, [serverId, texts]));
    latest = search.catch(() => undefined);
    try {
      return (await search)[0] ?? null;
    } finally {
      waiting -= 1;
    }
  };
}
