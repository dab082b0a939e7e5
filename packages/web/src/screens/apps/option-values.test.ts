import type { CommandOption } from "@parley/client";
import { expect, test } from "vitest";
import { texts } from "../../texts/texts.js";
import { readOption } from "./option-values.js";

const labels = texts.apps.faults;
const option = (changes: Partial<CommandOption>): CommandOption => ({
  name: "o",
  description: "d",
  type: "string",
  required: false,
  choices: null,
  min: null,
  max: null,
  autocomplete: false,
  ...changes,
});
const choices = [
  { name: "One", value: 1 },
  { name: "Two", value: 2 },
];

test.each<[string, Partial<CommandOption>, string, ReturnType<typeof readOption>]>([
  ["a text keeps its spaces", {}, " a ", { value: " a " }],
  ["an optional one may be empty", {}, "", { value: undefined }],
  ["a required one may not", { required: true }, "", { fault: labels.required }],
  ["the shortest text", { min: 2, max: 3 }, "ab", { value: "ab" }],
  ["a text that is too short", { min: 2, max: 3 }, "a", { fault: labels.length(2, 3) }],
  ["characters are counted, not their parts", { max: 2 }, "🏁🏁", { value: "🏁🏁" }],
  ["a text that is too long", { max: 2 }, "abc", { fault: labels.length(0, 2) }],
  ["a whole number", { type: "integer" }, " 7 ", { value: 7 }],
  ["no whole number", { type: "integer" }, "7.5", { fault: labels.integer }],
  ["a number", { type: "number" }, "7.5", { value: 7.5 }],
  ["no number", { type: "number" }, "seven", { fault: labels.number }],
  ["the least number", { type: "integer", min: 1, max: 9 }, "1", { value: 1 }],
  ["a number that is too small", { type: "integer", min: 1, max: 9 }, "0", { fault: labels.least(1) }],
  ["a number that is too large", { type: "integer", min: 1, max: 9 }, "10", { fault: labels.most(9) }],
  ["yes", { type: "boolean" }, "true", { value: true }],
  ["no", { type: "boolean" }, "false", { value: false }],
  ["a choice keeps its type", { type: "integer", choices }, "2", { value: 2 }],
  ["what is none of the choices", { type: "integer", choices }, "3", { fault: labels.choice }],
  ["somebody's id", { type: "user" }, "id", { value: "id" }],
])("the value of an option is read: %s", (_, changes, text, expected) => {
  expect(readOption(option(changes), text)).toEqual(expected);
});
