import { comparable } from "@parley/testing/archives";
import { describe, expect, test } from "vitest";
import { readMade, readSample } from "../read-sample-fixture.js";

const { golden, summary } = await readSample("mattermost");
const { messageWith, messages, records } = summary;

test("the sample of Mattermost becomes what its golden file says", () => {
  expect(comparable(summary.figures)).toEqual(comparable(golden));
});

describe("in the sample", () => {
  test.each<[row: string, found: () => unknown, expected: unknown]>([
    [
      "replies belong to their post, have reactions and edit times of their own",
      () => {
        const root = messageWith("root with replies");
        return [...messages.values()]
          .filter(({ thread }) => thread === root.id)
          .sort((a, b) => a.at - b.at)
          .map(({ text, editedAt, reactions }) => [text, editedAt, reactions.map(({ emoji }) => emoji)]);
      },
      [
        [["first reply"], null, [{ unicode: "👀" }]],
        [["second reply, edited"], 1_683_635_433_642, []],
      ],
    ],
    [
      "mentions, channels and unknown ones",
      () => messageWith("and #Tools").content,
      "(@bram_okafor), @celia_nunes. and #Tools, ~nowhere",
    ],
    ["shortcodes", () => messageWith("Well done").content, "Well done 🎉 👍🏻 :party_blob: :not_there:"],
    [
      "reactions by name, tone and own emoji",
      () => messageWith("Reactions of every kind").reactions.map(({ emoji }) => emoji),
      [{ unicode: "👍🏽" }, { unicode: "👍" }, { own: "riverside/party_blob" }],
    ],
    [
      "a webhook is a bot of the name that it shows",
      () => records.flatMap((record) => (record.kind === "message" && record.embeds.length > 0 ? [record.author] : [])),
      ["webhook/Weather"],
    ],
    ["a message of me is its text", () => messageWith("waves").author, "ada_lind"],
    ["a pin", () => messageWith("pinned by hand").pinned, { at: null, by: null }],
    [
      "a file without text comes",
      () =>
        [...messages.values()]
          .filter(({ text, files }) => text.length === 0 && files.length > 0)
          .map(({ files }) => files[0]?.name),
      ["alone.png"],
    ],
  ])("%s", (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});

const lines = (...all: object[]) =>
  [
    { type: "version", version: 1 },
    { type: "team", team: { name: "a", display_name: "A" } },
    { type: "channel", channel: { team: "a", name: "town", display_name: "Town", type: "O" } },
    { type: "user", user: { username: "ada" } },
    ...all,
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");
const post = (message: string, more = {}) => ({
  type: "post",
  post: { team: "a", channel: "town", user: "ada", message, create_at: 1_700_000_000_000, ...more },
});

describe("of other archives", () => {
  test("equal times of one person are numbered, and a line that stands twice is one post", async () => {
    const { messages } = await readMade("mattermost", {
      "import.jsonl": lines(
        post("one"),
        post("two"),
        post("one"),
        post("two"),
        post("one", { edit_at: 1_700_000_000_500 }),
      ),
    });
    expect([...messages].map(([id, { text, editedAt }]) => [id, text, editedAt])).toEqual([
      ["a/town/ada/1700000000000", ["one"], 1_700_000_000_500],
      ["a/town/ada/1700000000000/1", ["two"], null],
    ]);
  });

  test("an own emoji is of the servers that use it, else of the first", async () => {
    const { records } = await readMade("mattermost", {
      "import.jsonl": lines(
        { type: "team", team: { name: "b" } },
        { type: "channel", channel: { team: "b", name: "hall", type: "O" } },
        post("x", { team: "b", channel: "hall", reactions: [{ user: "ada", emoji_name: "blob" }] }),
        post("a :blob:"),
        { type: "emoji", emoji: { name: "blob", image: "e/1" } },
        { type: "emoji", emoji: { name: "idle", image: "e/1" } },
      ),
      "data/e/1": "picture",
    });
    expect(records.flatMap((record) => (record.kind === "emoji" ? [record.id] : []))).toEqual([
      "a/blob",
      "b/blob",
      "a/idle",
    ]);
  });

  test("records of wrong values are counted, and the others come", async () => {
    const { figures, messages } = await readMade("mattermost", {
      "import.jsonl": lines(
        post("x", { create_at: "now" }),
        { type: "user", user: { username: 5 } },
        { type: "post", post: null },
        post("root", { replies: [{ user: "ada" }, { user: "bo", message: "reply", create_at: 1_700_000_000_001 }] }),
      ),
    });
    expect(figures.skipped).toEqual([{ kind: "unknown_record", reason: "a value cannot be read", count: 4 }]);
    expect([...messages.values()].map(({ text, thread }) => [text, thread])).toEqual([
      [["root"], null],
      [["reply"], "a/town/ada/1700000000000"],
    ]);
  });

  test("texts of attachments have names of people, channels and emoji", async () => {
    const attachments = [{ text: "**a** @ada ~town :tada: :blob:" }];
    const { messages } = await readMade("mattermost", {
      "import.jsonl": lines(
        { type: "user", user: { username: "ada" } },
        post("x", { message: "", props: { attachments } }),
      ),
    });
    expect([...messages.values()][0]?.embeds).toEqual([
      expect.objectContaining({ description: "**a** @ada #Town 🎉 :blob:" }),
    ]);
  });

  test("a channel of a team without a line is counted, and its messages", async () => {
    const { figures, messages } = await readMade("mattermost", {
      "import.jsonl": lines(
        { type: "channel", channel: { team: "lost", name: "x", type: "O" } },
        post("x", { team: "lost", channel: "x" }),
      ),
    });
    expect([...messages.keys()]).toEqual([]);
    expect(figures.skipped).toEqual([
      { kind: "channel", reason: "team is not in the archive", count: 1 },
      { kind: "message", reason: "channel is not in the archive", count: 1 },
    ]);
  });

  test("an empty line is no record", async () => {
    const text = lines(post("x"));
    await expect(
      readMade("mattermost", { "import.jsonl": text.replace("\n", "\n\n").replace(/\}\n?$/, "") }),
    ).rejects.toThrow(`import.jsonl, record ${text.trim().split("\n").length}: is not JSON.`);
  });

  test("another version of the format is refused", async () => {
    const text = '{"type":"version","version":2}\n';
    await expect(readMade("mattermost", { "import.jsonl": text })).rejects.toThrow(
      "import.jsonl, record 1: only version 1 of the format is read.",
    );
  });
});
