import { ServiceError } from "@parley/contracts";
import { expect, test } from "vitest";
import { parse } from "../../../platform/http/route.js";
import { hookBody } from "../schema.js";

const read = (body: unknown) => parse<typeof hookBody>(hookBody, body);
const bare = {
  title: "t",
  description: null,
  url: null,
  color: null,
  timestamp: null,
  author: null,
  footer: null,
  image: null,
  thumbnail: null,
  fields: [],
};

test("every optional key of a body may be empty", () => {
  for (const empty of ["", null, "  "]) {
    const keys = ["content", "username", "avatar_url", "thread_id", "allowed_mentions", "embeds", "tts", "flags"];
    for (const key of keys) expect(read({ [key]: empty })).toEqual({});
    expect(read({ content: "x", allowed_mentions: { parse: empty, users: empty } })).toEqual({
      content: "x",
      allowed_mentions: { everyone: false, roles: [], users: [] },
    });
    expect(read({ content: "x", allowed_mentions: { parse: [], users: ["a"], roles: ["b"] } })).toMatchObject({
      allowed_mentions: { everyone: false, roles: ["b"], users: ["a"] },
    });
  }
});

test.each([
  ...[
    "description",
    "url",
    "color",
    "timestamp",
    "author",
    "footer",
    "image",
    "thumbnail",
    "fields",
    "provider",
  ].flatMap((key) => ["", null, "  "].map((empty) => ({ [key]: empty }))),
  ...["", null, undefined].flatMap((empty) => [
    { author: { name: empty, url: "https://example.com", icon_url: "" } },
    { footer: { text: empty, icon_url: "https://example.com/a.png" } },
    { image: { url: empty, height: 5 } },
    { thumbnail: { url: empty } },
  ]),
  { author: {}, footer: {}, image: {}, thumbnail: {} },
])("an embed with %j counts as one without", (part) => {
  expect(read({ embeds: [{ title: "t", ...part }] }).embeds).toEqual([bare]);
});

test("empty keys of a part that is there are left out of it", () => {
  const embed = {
    title: "t",
    author: { name: "ann", url: "", icon_url: null },
    footer: { text: "f", icon_url: "" },
    fields: [{ name: "n", value: "v", inline: "" }],
  };
  expect(read({ embeds: [embed] }).embeds).toEqual([
    {
      ...bare,
      author: { name: "ann", url: null, icon_url: null },
      footer: { text: "f", icon_url: null },
      fields: [{ name: "n", value: "v", inline: false }],
    },
  ]);
});

test.each([
  ["10233776", "#9c27b0"],
  ["0", "#000000"],
  ["16777215", "#ffffff"],
  [" 255 ", "#0000ff"],
  ["#9C27B0", "#9c27b0"],
  [255, "#0000ff"],
])("the colour %j is %j", (color, stored) => {
  expect(read({ embeds: [{ title: "t", color }] }).embeds?.[0]?.color).toBe(stored);
});

test.each([
  [{ content: 5 }],
  [{ username: {} }],
  [{ embeds: "no" }],
  [{ embeds: [5] }],
  [{ embeds: [{ title: 5 }] }],
  [{ embeds: [{ title: "t", author: "ann" }] }],
  [{ embeds: [{ title: "t", author: { name: 5 } }] }],
  [{ embeds: [{ title: "t", image: { url: "ftp://example.com" } }] }],
  [{ embeds: [{ title: "t", color: "16777216" }] }],
  [{ embeds: [{ title: "t", color: "1e3" }] }],
  [{ embeds: [{ title: "t", fields: [{ name: "", value: "v" }] }] }],
  [{ embeds: [{ title: "" }] }],
  [[]],
  ["text"],
])("%j stays wrong", (body) => {
  expect(() => read(body)).toThrow(ServiceError);
});
