import { expect, test } from "vitest";
import { qualifiedEmoji } from "./qualified-emoji.js";

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
