import { expect, test } from "vitest";
import { complete, completionAt } from "./completion.js";

test.each([
  ["hello @an", { kind: "user", letters: "an", start: 6 }],
  ["@", { kind: "user", letters: "", start: 0 }],
  ["see #gen", { kind: "channel", letters: "gen", start: 4 }],
  [":smi", { kind: "emoji", letters: "smi", start: 0 }],
  [":s", null],
  ["a@b", null],
  ["12:30", null],
  ["@ann ", null],
  ["/", { kind: "command", letters: "", start: 0 }],
  ["/pl", { kind: "command", letters: "pl", start: 0 }],
  ["/play now", null],
  ["a /pl", null],
])("the word to complete at the end of %j is found", (text, expected) => {
  expect(completionAt(text, text.length)).toEqual(expected);
});

test("a word in the middle of a text is completed", () => {
  const text = "hi @an how";
  const query = completionAt(text, 6);
  expect(query).not.toBeNull();
  if (query !== null) expect(complete(text, query, 6, "@anna")).toEqual({ text: "hi @anna how", caret: 9 });
});
