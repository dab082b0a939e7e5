import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { wordListsMax, wordsRememberedMax } from "./limits.js";
import { createWordMatcher, type WordMatcher } from "./rules/word-filter.js";

/** A server's filtered words, ready to be sought. */
export interface WordList {
  version: number;
  /** In the order of insertion; the id tells when. */
  words: readonly { id: string; word: string }[];
  matcher: WordMatcher;
}

/** The words of all servers, remembered. */
export interface WordLists {
  /**
   * @param version a change that the list must contain: an older remembered list is read again
   */
  get(serverId: string, version: number): Promise<WordList>;
}

/** Words and version in one statement, so that they belong together. */
const listStatement = defineStatement({
  name: "automod_words",
  text: `SELECT s.automod_words_version AS version, coalesce((
        SELECT json_agg(json_build_object('id', w.id, 'word', w.word) ORDER BY w.id)
        FROM automod_words w WHERE w.server_id = s.id), '[]') AS words
    FROM servers s WHERE s.id = $1`,
  row: z.object({ version: z.int(), words: z.array(z.object({ id: z.string(), word: z.string() })) }),
});

const empty: WordList = { version: 0, words: [], matcher: createWordMatcher([]) };

/**
 * A message names the version of the words that its sender saw in the database, so a change is effective for the next
 * message in every process, and nobody has to be told of it.
 */
export function createWordLists({ database }: { database: Database }): WordLists {
  // Least recently used first.
  const remembered = new Map<string, WordList>();
  const loading = new Map<string, Promise<WordList>>();
  let words = 0;

  const forget = (serverId: string) => {
    words -= remembered.get(serverId)?.words.length ?? 0;
    remembered.delete(serverId);
  };
  const remember = (serverId: string, list: WordList) => {
    forget(serverId);
    remembered.set(serverId, list);
    words += list.words.length;
    for (const oldest of remembered.keys()) {
      if (remembered.size <= wordListsMax && words <= wordsRememberedMax) break;
      if (oldest !== serverId) forget(oldest);
    }
  };
  const load = async (serverId: string): Promise<WordList> => {
    const [row] = await database.query(listStatement, [serverId]);
    if (row === undefined) return empty;
    const list = { ...row, matcher: createWordMatcher(row.words.map(({ word }) => word)) };
    remember(serverId, list);
    return list;
  };
  const loadOnce = (serverId: string) => {
    const running = loading.get(serverId) ?? load(serverId).finally(() => loading.delete(serverId));
    loading.set(serverId, running);
    return running;
  };

  return {
    async get(serverId, version) {
      const list = remembered.get(serverId);
      if (list !== undefined && list.version >= version) {
        remembered.delete(serverId);
        remembered.set(serverId, list);
        return list;
      }
      const loaded = await loadOnce(serverId);
      // The load may have begun before the change; one that begins now has it.
      return loaded.version >= version ? loaded : loadOnce(serverId);
    },
  };
}
