import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { wordListBytesMax, wordListsMax, wordsReadMax } from "./limits.js";
import { buildWordMatcher, type WordMatcher } from "./rules/word-filter.js";
import type { SlicedBuilds } from "./sliced-builds.js";
import { createVersionedCache } from "./versioned-cache.js";

const FilteredWord = z.object({
  /** A UUIDv7, which contains the time when the word was added. */
  id: z.string(),
  word: z.string(),
});
type FilteredWord = z.infer<typeof FilteredWord>;

/** A server's filtered words in the cache of this process. */
interface WordList {
  /** In the order of insertion. */
  words: readonly FilteredWord[];
  matcher: WordMatcher;
}

/** Words and version in one statement, so that they belong together. */
const listStatement = defineStatement({
  name: "automod_words",
  text: `SELECT s.automod_words_version AS version, coalesce((
        SELECT json_agg(json_build_object('id', w.id, 'word', w.word) ORDER BY w.id)
        FROM (SELECT id, word FROM automod_words WHERE server_id = s.id ORDER BY id LIMIT $2) w), '[]') AS words
    FROM servers s WHERE s.id = $1`,
  row: z.object({ version: z.int(), words: z.array(FilteredWord) }),
});

/** Memory of one word beside its characters: two strings, an object, an entry of a list. */
const wordOverheadBytes = 160;
/** Memory of a list beside its words and its matcher: an object, an entry of the cache. */
const listOverheadBytes = 200;

/** The words of all servers. */
export type WordLists = ReturnType<typeof createWordLists>;

export function createWordLists({ database, builds }: { database: Database; builds: SlicedBuilds }) {
  const get = createVersionedCache<WordList>({
    serversMax: wordListsMax,
    bytesMax: wordListBytesMax,
    async read(serverId) {
      const [row] = await database.query(listStatement, [serverId, wordsReadMax]);
      // A deleted server has no words.
      const { version, words } = row ?? { version: Number.MAX_SAFE_INTEGER, words: [] };
      const characters = words.reduce((sum, { word }) => sum + word.length, 0);
      const matcher = await builds.run(characters, buildWordMatcher(words.map(({ word }) => word)));
      const bytes = listOverheadBytes + matcher.bytes + characters * 2 + words.length * wordOverheadBytes;
      return { version, value: { words, matcher }, bytes, isKept: row !== undefined };
    },
  });

  return {
    /**
     * The word that was inserted first among those that one of the texts contains.
     *
     * @param question.version a change that the list must contain: an older remembered list is read again
     * @param question.texts lower-cased
     */
    async find(question: {
      serverId: string;
      version: number;
      texts: readonly string[];
    }): Promise<FilteredWord | null> {
      const { serverId, version, texts } = question;
      const { words, matcher } = await get(serverId, version);
      const indexes = texts.map((text) => matcher.find(text)).filter((index) => index >= 0);
      return words[Math.min(...indexes)] ?? null;
    },
  };
}
