import { describe, expect, test } from "vitest";
import { candidatesOf, emojiNameOf, idOf, messagesOf, renderText, reserved, splitText } from "./texts.js";

const lengthOf = (text: string) => [...text].length;

describe("texts of archives", () => {
  test.each([
    ["short", "x".repeat(4_000), [4_000]],
    ["cut behind the last line end", `${"a ".repeat(1_500)}\n${"b".repeat(2_000)}`, [3_001, 2_000]],
    ["cut behind the last space", `${"a".repeat(3_000)} ${"b".repeat(2_000)}`, [3_001, 2_000]],
    ["cut where nothing divides", "x".repeat(9_000), [4_000, 4_000, 1_000]],
    ["emoji are one letter", "😀".repeat(4_001), [4_000, 1]],
    ["a line end at the beginning divides nothing", `\n${"x".repeat(5_000)}`, [4_000, 1_001]],
    ["white space at the end shows nothing", `${"x".repeat(4_000)} \n`, [4_000]],
  ])("%s", (_, text, lengths) => {
    const parts = splitText(text);
    expect(parts.map(lengthOf)).toEqual(lengths);
    expect(text.startsWith(parts.join(""))).toBe(true);
  });

  test("a text that is split and has more than ten files becomes messages for all of both", () => {
    expect(messagesOf("x".repeat(4_001), 23).map(({ content, files }) => [content.length, files])).toEqual([
      [4_000, 10],
      [1, 0],
      [0, 10],
      [0, 3],
    ]);
  });

  test("names stand in texts as they are here, and only people who are mentioned aloud are mentioned", () => {
    const ada = { id: "1", username: "ada_2", name: "Ada Lind" };
    const names = {
      person: (id: string) => (id === "ada" ? ada : undefined),
      channel: () => "general",
      emoji: () => undefined,
    };
    const text = ["a ", { person: "ada" }, { person: "ada", silent: true }, { person: "x" }, { channel: "c" }] as const;
    const rendered = renderText([...text, { emoji: "blob" }, { everyone: "here" }, { person: "ada" }], names);
    expect(rendered.content).toBe("a @ada_2Ada Lind@x#general:blob:@here@ada_2");
    expect(rendered).toMatchObject({ mentions: ["1"], everyone: false });
  });
});

test("ids of one millisecond rise with their counter, also beyond rand_a, and are UUIDv7 of the time", () => {
  const at = Date.UTC(2021, 4, 6);
  const ids = [0, 1, 4_094, 4_095, 4_096, 70_000].map((counter) => idOf(at, counter));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(at);
  }
});

test("names that are taken get a number, and reserved ones are never used", () => {
  const first = (name: string, taken?: string[], count = 3) => {
    const candidates = candidatesOf(name, taken);
    return Array.from({ length: count }, () => candidates.next().value);
  };
  expect(first("ada")).toEqual(["ada", "ada2", "ada3"]);
  expect(first("Everyone")).toEqual(["Everyone2", "Everyone3", "Everyone4"]);
  expect(first("boss", [...reserved, "Boss"])).toEqual(["boss2", "boss3", "boss4"]);
  expect(first("here", [])).toEqual(["here", "here2", "here3"]);
  expect(first("x".repeat(32))[1]).toBe(`${"x".repeat(31)}2`);
  expect(["Party Blob!", "ÄÖ", "日本", "a".repeat(40)].map(emojiNameOf)).toEqual([
    "party_blob_",
    "ao",
    "emoji",
    "a".repeat(32),
  ]);
});
