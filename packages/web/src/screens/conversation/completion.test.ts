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
])("what is completed at the end of %j", (text, expected) => {
  expect(completionAt(text, text.length)).toEqual(expected);
});

test("completes in the middle of a text", () => {
  const text = "hi @an how";
  const query = completionAt(text, 6);
  expect(query).not.toBeNull();
  if (query !== null) expect(complete(text, query, 6, "@anna")).toEqual({ text: "hi @anna how", caret: 9 });
});
