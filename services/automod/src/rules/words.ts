import type { AutomodTrigger } from "@parley/contracts";
import { type Folded, foldWord, maskIn, withoutEnd } from "./fold.js";
import { buildWordMatcher } from "./word-filter.js";

type WordTrigger = Extract<AutomodTrigger, { type: "words" | "name" }>;

/** Finds the words of a rule in texts. */
export interface RuleWords {
  /**
   * @param readings the text, folded in the ways in which it can be read
   * @returns the word that comes first in the list of those that the text contains; null for none
   */
  find(readings: readonly Folded[]): string | null;
  readonly bytes: number;
}

/** How words are folded at a time between two pauses. */
const wordsBetweenYields = 32;

/** Compiles a list in short steps. It skips a word that folding makes empty. */
export function* buildRuleWords({ words, match, allow }: WordTrigger): Generator<void, RuleWords, void> {
  const entries: { word: string; folded: string }[] = [];
  for (const [index, word] of words.entries()) {
    if (index % wordsBetweenYields === 0) yield;
    const { plain, bounded } = foldWord(word);
    // Without the mark at its end, a longer word that begins with the listed one matches, too.
    const folded = match === "part" ? plain : match === "word" ? bounded : withoutEnd(bounded);
    if (plain !== "") entries.push({ word, folded });
  }
  const matcher = yield* buildWordMatcher(entries.map(({ folded }) => folded));
  const allowed: string[] = [];
  for (const [index, word] of allow.entries()) {
    if (index % wordsBetweenYields === 0) yield;
    const { plain } = foldWord(word);
    if (plain !== "") allowed.push(plain);
  }
  // A longer allowed part is masked before the parts that it contains.
  allowed.sort((a, b) => b.length - a.length);
  const find = (text: Folded) => matcher.find(match === "part" ? text.plain : text.bounded);
  const characters = [...entries.map(({ word }) => word), ...allowed].reduce((sum, { length }) => sum + length, 0);
  return {
    bytes: matcher.bytes + characters * 4,
    find(readings) {
      for (const text of readings) {
        let index = find(text);
        if (index >= 0 && allowed.length > 0) index = find(maskIn(text, allowed));
        const entry = entries[index];
        if (entry !== undefined) return entry.word;
      }
      return null;
    },
  };
}
