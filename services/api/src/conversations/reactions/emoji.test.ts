import { expect, test } from "vitest";
import { storedReaction } from "./emoji.js";

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
