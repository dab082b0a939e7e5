import { expect, test } from "vitest";
import { qualifiedEmoji, storedReaction } from "./emoji.js";

test.each([
  ["😀", "😀"],
  ["\u2764", "\u2764\ufe0f"],
  ["\u2764\ufe0f", "\u2764\ufe0f"],
  ["\u2764\ufe0e", "\u2764\ufe0f"],
  ["👍\ufe0f", "👍"],
  ["👍🏽", "👍🏽"],
  ["☝🏿", "☝🏿"],
  ["☝\ufe0f🏿", "☝🏿"],
  ["#\u20e3", "#\ufe0f\u20e3"],
  ["\u00a9", "\u00a9\ufe0f"],
  ["🇩🇪", "🇩🇪"],
  ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["🏳\u200d⚧", "🏳\ufe0f\u200d⚧\ufe0f"],
  ["👩🏻\u200d❤\u200d💋\u200d👨🏿", "👩🏻\u200d❤\ufe0f\u200d💋\u200d👨🏿"],
  ["👁\u200d🗨", "👁\ufe0f\u200d🗨\ufe0f"],
  ["👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"],
])("%j is the emoji %j", (text, qualified) => {
  expect(qualifiedEmoji(text)).toBe(qualified);
});

test.each(
  ["", " ", "x", "hello", "1", "#", "*", "😀😀", "😀 ", " 😀", "😀x", "🇦", "🇦🇦", "\u200d", "\ufe0f", "\u20e3"].concat([
    "👩\u200d🐓",
    "😀\u200b",
    "\u0661\u20e3",
    "🏴\u{e0067}",
    "\ud83d",
    "c:",
    "c:x",
    "❤\n",
  ]),
)("%j is no emoji", (text) => {
  expect(storedReaction(text)).toBeNull();
});

test("the id of a custom emoji is stored in lower case", () => {
  expect(storedReaction("c:0198A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B")).toBe("c:0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
  expect(storedReaction("C:0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")).toBeNull();
});
