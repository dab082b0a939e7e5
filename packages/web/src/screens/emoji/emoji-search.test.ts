import { expect, test } from "vitest";
import * as generated from "../../generated/emoji.js";
import { words as inArabic } from "../../generated/emoji-arabic.js";
import { words as inEnglish } from "../../generated/emoji-english.js";
import { words as inGerman } from "../../generated/emoji-german.js";
import { findEmojis } from "./emoji-search.js";
import { type Emoji, inTone, readEmojis } from "./emoji-set.js";

const { shortcodes, ...signs } = generated;
const support = { version: Number.POSITIVE_INFINITY, flags: true };
const sets = Object.fromEntries(
  Object.entries({ en: inEnglish, de: inGerman, ar: inArabic }).map(([language, words]) => [
    language,
    readEmojis({ signs, shortcodes, words }, support),
  ]),
);
const rook: Emoji = { sign: "c:1", name: ":rook:", shortcodes: ["rook"], keywords: [], imageUrl: "/rook" };

/** The plain forms of the first results. */
const found = (language: string, letters: string, recent: readonly string[] = []) =>
  findEmojis([rook, ...(sets[language] ?? [])], letters, recent, 3).map(({ sign }) => inTone(sign, ""));

test.each([
  ["en", "tada", "🎉"],
  ["en", ":+1:", "👍"],
  ["en", "red heart", "❤️"],
  ["en", "rocket", "🚀"],
  ["de", "tada", "🎉"],
  ["de", "konfettibo", "🎉"],
  ["de", "GRUNES HERZ", "💚"],
  ["de", "Weißes Herz", "🤍"],
  ["ar", "tada", "🎉"],
  ["ar", "قلب أحمر", "❤️"],
  ["ar", "قلب احمر", "❤️"],
  ["de", "rook", "c:1"],
])("a search for emoji, in %s for %j, finds %s first", (language, letters, emoji) => {
  expect(found(language, letters)[0]).toBe(emoji);
});

test("words may stand in any order, and each may be begun only", () => {
  expect(found("en", "hear bro")).toContain("💔");
  expect(found("en", "flag germ")).toContain("🇩🇪");
  expect(found("en", "qqq")).toEqual([]);
  expect(found("en", " ")).toEqual([]);
});

test("what is called so comes before what was used recently, and that before what fits as well", () => {
  expect(found("en", "cat").slice(0, 2)).toEqual(["🐱", "🐈"]);
  expect(found("en", "cat")).not.toContain("😼");
  expect(found("en", "cat", ["😼"])).toEqual(["🐱", "🐈", "😼"]);
});
