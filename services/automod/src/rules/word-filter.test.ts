import { PerformanceObserver } from "node:perf_hooks";
import { caps, filteredWordLengthMax } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWordMatcher } from "./word-filter.js";

const firstContained = (words: readonly string[], text: string) => words.findIndex((word) => text.includes(word));

/** Words of characters outside the basic plane, two UTF-16 units each, which share no long beginning. */
function randomWords(count: number, length: number): string[] {
  let random = 1;
  const character = () => {
    random = (random * 48_271) % 2_147_483_647;
    return 0x10300 + (random % 27);
  };
  return Array.from({ length: count }, () => String.fromCodePoint(...Array.from({ length }, character)));
}

describe("the word filter", () => {
  test.each([
    [["bad"], "a bad day", 0],
    [["bad"], "forbadden", 0],
    [["bad"], "b ad", -1],
    [[], "anything", -1],
    [["abc", "b"], "xabx", 1],
    [["abcd", "bc"], "abcx", 1],
    [["late", "early"], "early and late", 0],
    [["she", "he", "hers"], "hers", 1],
    [["hers", "he", "she"], "ushers", 0],
    [["a", "aa", "aaa"], "aaa", 0],
    [["aaa", "aa", "a"], "aa", 1],
    [["плохо"], "это плохо!", 0],
    [["😀😀"], "x😀😀y", 0],
    [["😀"], "😁", -1],
    [["e\u0301"], "caf\u00e9", -1],
    [["\u200bx"], "a\u200bx", 0],
    [["שלום"], "\u202bשלום\u202c", 0],
    [["two words"], "in two words", 0],
  ])("the word filter of %j finds in %j the word at %i", (words, text, place) => {
    expect(createWordMatcher(words).find(text)).toBe(place);
  });

  test("the word filter finds the word that was inserted first, whatever overlaps, precedes or contains it", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "😀"), maxLength: 40 });
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "😀"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 30 }), letters, (words, text) => {
        expect(createWordMatcher(words).find(text)).toBe(firstContained(words, text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("the word filter takes one step per character for texts and words of one repeated letter", () => {
    const words = Array.from({ length: 100 }, (_, index) => "a".repeat(100 - index));
    expect(createWordMatcher(words).find("a".repeat(4_000))).toBe(0);
    expect(createWordMatcher(words).find("a".repeat(50))).toBe(50);
    expect(createWordMatcher(words).find("b".repeat(4_000))).toBe(-1);
  });

  test("the word filter holds ten thousand words", () => {
    const words = Array.from({ length: 10_000 }, (_, index) => `word${index * 7919}x`);
    const matcher = createWordMatcher(words);
    expect(matcher.find(`text with ${words[9_999]} in it`)).toBe(9_999);
    expect(matcher.find("text with nothing in it")).toBe(-1);
  });

  test("the word filter is built without garbage for each of its states, whose collection would hold up verdicts", async () => {
    const lists = 20;
    const words = randomWords(caps.words.max, filteredWordLengthMax);
    const collections: number[] = [];
    const observer = new PerformanceObserver((list) => {
      collections.push(...list.getEntries().map(({ startTime }) => startTime));
    });
    observer.observe({ entryTypes: ["gc"] });
    createWordMatcher(words);
    const from = performance.now();
    for (let list = 0; list < lists; list += 1) createWordMatcher(words);
    const to = performance.now();
    // Collections are reported in later turns of the event loop, in their order.
    await waitUntil(() => {
      Array.from({ length: 100_000 }, () => []);
      return collections.some((at) => at > to);
    });
    observer.disconnect();
    expect(collections.filter((at) => at >= from && at <= to).length).toBeLessThan(lists / 2);
  });
});
