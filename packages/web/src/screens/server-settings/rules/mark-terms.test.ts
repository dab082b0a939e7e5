import { expect, test } from "vitest";
import { markTerms } from "./mark-terms.js";

test.each([
  ["A bad, BAD day", ["bad"], ["A ", "[bad]", ", ", "[BAD]", " day"]],
  ["evil.com or evilXcom", ["evil.com"], ["[evil.com]", " or evilXcom"]],
  ["badly bad", ["bad", "badly"], ["[badly]", " ", "[bad]"]],
  ["nothing", [], ["nothing"]],
])("of %j the terms %j are marked", (text, terms, expected) => {
  const parts = markTerms(text, terms);
  expect(parts.map((part) => (part.isMarked ? `[${part.text}]` : part.text))).toEqual(expected);
  expect(new Set(parts.map(({ at }) => at)).size).toBe(parts.length);
});
