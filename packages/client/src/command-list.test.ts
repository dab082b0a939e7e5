import { expect, test } from "vitest";
import { commandBody, isSameList } from "./command-list.js";
import type { CommandDefinition } from "./command-options.js";
import { button, embed, rows, select, selectFrom } from "./components.js";
import type { Command } from "./generated/index.js";

const line = { type: "string", description: "Which" } as const;
const stored = (definition: CommandDefinition): Command => {
  const nulls = { choices: null, min: null, max: null, autocomplete: false };
  const { name, description, options, default_permissions = null } = commandBody("play", definition);
  const listed = (options ?? []).map((option) => ({ ...nulls, ...option, required: false, autocomplete: false }));
  // Keys in another order than the client's.
  return { default_permissions, id: "1", options: structuredClone(listed), context: "server", name, description };
};

test("a definition is sent with its required options first, and choices have names", () => {
  const body = commandBody("play", {
    description: "Plays",
    options: {
      side: { ...line, choices: ["white", { name: "Black", value: "b" }] },
      moves: { type: "integer", description: "x", required: true },
    },
  });
  expect(body.options?.map(({ name }) => name)).toEqual(["moves", "side"]);
  expect(body.options?.[1]?.choices).toEqual([
    { name: "white", value: "white" },
    { name: "Black", value: "b" },
  ]);
});

test.each<[string, CommandDefinition, boolean]>([
  ["nothing", { description: "Plays", options: { line } }, true],
  ["the description", { description: "Play", options: { line } }, false],
  ["the context", { description: "Plays", context: "user" }, false],
  ["a permission", { description: "Plays", options: { line }, defaultPermissions: 4 }, false],
  ["an option's name", { description: "Plays", options: { lines: line } }, false],
  ["an option's type", { description: "Plays", options: { line: { ...line, type: "role" } } }, false],
  ["a bound", { description: "Plays", options: { line: { ...line, max: 3 } } }, false],
  ["required", { description: "Plays", options: { line: { ...line, required: true } } }, false],
  ["choices", { description: "Plays", options: { line: { ...line, choices: ["a"] } } }, false],
  ["completion", { description: "Plays", options: { line: { ...line, autocomplete: () => [] } } }, false],
])("lists that differ in %s", (_, definition, isSame) => {
  const known = [stored({ description: "Plays", options: { line } })];
  expect(isSameList(known, [commandBody("play", definition)])).toBe(isSame);
});

test("lists are the same in the same order only", () => {
  const names = ["a", "b"];
  const wanted = names.map((name) => commandBody(name, { description: "x" }));
  const known = names.map((name) => ({ ...stored({ description: "x" }), name }));
  expect([isSameList(known, wanted), isSameList(known.toReversed(), wanted), isSameList([], wanted)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("components stand in rows of five buttons, and selects alone", () => {
  const buttons = Array.from({ length: 6 }, (_, index) => button(`${index}`, `id:${index}`));
  const filled = rows(...buttons, select("pick", ["a"]), selectFrom("role", "r"));
  expect(filled.map((row) => row.length)).toEqual([5, 1, 1, 1]);
});

test("an embed is made of texts and addresses", () => {
  expect(
    embed({ title: "T", fields: { a: 1 }, inline: { b: "2" }, author: "Ann", image: "https://example.com/a.png" }),
  ).toEqual({
    title: "T",
    author: { name: "Ann" },
    image: { url: "https://example.com/a.png" },
    fields: [
      { name: "a", value: "1", inline: false },
      { name: "b", value: "2", inline: true },
    ],
  });
});
