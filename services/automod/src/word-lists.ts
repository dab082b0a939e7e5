import { setTimeout as pause } from "node:timers/promises";
import { type Database, defineStatement } from "@parley/database";
import { Semaphore } from "@parley/service-runtime";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import {
  listLoadsMax,
  reloadPauseFactor,
  reloadPauseMaxMs,
  wordListBytesMax,
  wordListsMax,
  wordsReadMax,
} from "./limits.js";
import type { WordMatcher } from "./rules/word-filter.js";
import { SlicedBuilds } from "./sliced-builds.js";

const FilteredWord = z.object({
  /** A UUIDv7, which contains the time when the word was added. */
  id: z.string(),
  word: z.string(),
});
type FilteredWord = z.infer<typeof FilteredWord>;

/** A server's filtered words in the cache of this process. */
interface WordList {
  version: number;
  /** In the order of insertion. */
  words: readonly FilteredWord[];
  matcher: WordMatcher;
  bytes: number;
  /** When the next version may be loaded, by `performance.now()`. */
  reloadAt: number;
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

/** What one word takes beside its characters: two strings, an object, an entry of a list. */
const wordOverheadBytes = 160;
/** What a list takes beside its words and its matcher: an object, an entry of the cache. */
const listOverheadBytes = 200;

/**
 * The words of all servers. The check of a message contains the version of the words that the api has read from the database, so a change is
 * effective for the next message in every process, without notices between processes.
 */
export type WordLists = ReturnType<typeof createWordLists>;

export function createWordLists({ database }: { database: Database }) {
  const builds = new SlicedBuilds();
  const remembered = new LRUCache<string, WordList>({
    max: wordListsMax,
    maxSize: wordListBytesMax,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const loading = new Map<string, Promise<WordList>>();
  const slots = new Semaphore(listLoadsMax);

  const load = async (serverId: string): Promise<WordList> => {
    const waitMs = (remembered.peek(serverId)?.reloadAt ?? 0) - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const release = await slots.acquire();
    try {
      return await read(serverId);
    } finally {
      release();
    }
  };

  const read = async (serverId: string): Promise<WordList> => {
    const startedAt = performance.now();
    const [row] = await database.query(listStatement, [serverId, wordsReadMax]);
    // A deleted server has no words, and its list is never requested again.
    const { version, words } = row ?? { version: Number.MAX_SAFE_INTEGER, words: [] };
    const matcher = await builds.build(words.map(({ word }) => word));
    const now = performance.now();
    const list: WordList = {
      version,
      words,
      matcher,
      bytes: words.reduce(
        (sum, { word }) => sum + word.length * 2 + wordOverheadBytes,
        listOverheadBytes + matcher.bytes,
      ),
      reloadAt: now + Math.min(reloadPauseMaxMs, (now - startedAt) * reloadPauseFactor),
    };
    if (row !== undefined) remembered.set(serverId, list);
    return list;
  };
  const loadOnce = (serverId: string) => {
    const running = loading.get(serverId) ?? load(serverId).finally(() => loading.delete(serverId));
    loading.set(serverId, running);
    return running;
  };

  const get = async (serverId: string, version: number): Promise<WordList> => {
    const list = remembered.get(serverId);
    if (list !== undefined && list.version >= version) return list;
    const loaded = await loadOnce(serverId);
    // The load may have begun before the change; one that begins now has it.
    return loaded.version >= version ? loaded : loadOnce(serverId);
  };

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
