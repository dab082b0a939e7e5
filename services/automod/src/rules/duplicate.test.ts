import { expect, test } from "vitest";
import { isDuplicate, isExemptFromDuplicates } from "./duplicate.js";

test.each([
  [null, 0, false],
  [0, 0, true],
  [0, 30_000, true],
  [0, 30_001, false],
])("an identical message at %j makes one at %i a duplicate: %j", (identicalAt, now, expected) => {
  expect(isDuplicate(identicalAt, now)).toBe(expected);
});

test.each([
  ["\u200b", true],
  ["\u200b\u200b", true],
  ["\u200b.", false],
  [" ", false],
  ["text", false],
])("content %j is exempt: %j", (content, expected) => {
  expect(isExemptFromDuplicates(content)).toBe(expected);
});
