import { comparable } from "@parley/testing/archives";
import { describe, expect, test } from "vitest";
import { readMade, readSample } from "../read-sample-fixture.js";

const { golden, summary } = await readSample("slack");
const { messageWith, messages, records } = summary;

test("the sample of Slack becomes what its golden file says", () => {
  expect(comparable(summary.figures)).toEqual(comparable(golden));
});

describe("in the sample", () => {
  test.each<[row: string, found: () => unknown, expected: unknown]>([
    [
      "a message that stands in two files comes once, and the name of a file says nothing",
      () => [...messages.keys()].filter((id) => id.startsWith("C03MSDMXPM/")).length,
      38,
    ],
    [
      "a broadcast is a reply, once",
      () => {
        const { thread, id } = messageWith("reply that the channel sees, too");
        return [thread, [...messages.keys()].filter((each) => each === id).length];
      },
      ["C0X5G976YX/1662493946.591366", 1],
    ],
    [
      "a deleted root has the words of Slack and no author",
      () => {
        const { author, id } = messageWith("This message was deleted.");
        return [author, [...messages.values()].filter(({ thread }) => thread === id).length];
      },
      [null, 1],
    ],
    [
      "links, mentions and entities are Markdown",
      () => messageWith("our page").content,
      "[our page](https://example.org/a?b=1&c=2), https://example.org/plain, post@example.org",
    ],
    ["a message of me is its text", () => messageWith("waves").author, "U0XE9TMWOU"],
    [
      "a tone and a second name are emoji of Unicode; fifty have two people",
      () => [...messageWith("Reactions of every kind").reactions, ...messageWith("Fifty liked it").reactions],
      [
        { emoji: { unicode: "👍🏽" }, count: 1, people: ["U0XE9TMWOU"] },
        { emoji: { unicode: "👍" }, count: 1, people: ["U02KPLUBFG"] },
        { emoji: { unicode: "🎉" }, count: 50, people: ["U0XE9TMWOU", "U02KPLUBFG"] },
      ],
    ],
    [
      "pins have person and time",
      () => messageWith("pinned by hand").pinned,
      { at: 1_662_494_142_000, by: "U02KPLUBFG" },
    ],
    [
      "a bot has one embed",
      () =>
        records.flatMap((record) => (record.kind === "message" && record.author === "B0BQUR1EOE" ? record.embeds : [])),
      [expect.objectContaining({ title: "Frost tonight", color: "#2eb886", description: "Down to **-3**" })],
    ],
    [
      "files of strange modes are counted, and their link stays",
      () => {
        const { content, files } = messageWith("files of four strange modes");
        return [content, files.map(({ missing }) => missing)];
      },
      [
        "files of four strange modes\n[sheet](https://example.org/drive/1)",
        ["deleted or hidden by Slack", "deleted or hidden by Slack", "kept elsewhere"],
      ],
    ],
    ["twelve files stay together in the form", () => messageWith("twelve files").files.length, 12],
    [
      "the edit time is that of the edit",
      () => messageWith("The shared key is ready for Saturday. I can bring gloves. (29)").editedAt,
      1_662_487_033_000,
    ],
    [
      "an author of another workspace has a name",
      () =>
        records.flatMap((record) =>
          record.kind === "person" && record.id === "U0TM06O4P7" ? [record.name, record.username] : [],
        ),
      ["Petra Partner", "guest.partner"],
    ],
  ])("%s", (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});

const lists = {
  "users.json": [{ id: "U1", team_id: "T1", name: "ada", profile: { real_name: "Ada" } }],
  "channels.json": [{ id: "C1", name: "general", created: 1_600_000_000 }],
};
const message = (second: number, more = {}) => ({
  type: "message",
  ts: `16000000${second}.000100`,
  user: "U1",
  text: "x",
  ...more,
});

describe("of other archives", () => {
  test("files of slackdump are found", async () => {
    const files = [{ id: "F1", name: "plan a.txt", mode: "hosted" }];
    const { messages } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [message(10, { files })],
      "general/attachments/F1-plan a.txt": "four",
    });
    expect([...messages.values()][0]?.files).toEqual([
      { entry: "general/attachments/F1-plan a.txt", name: "plan a.txt", size: 4 },
    ]);
  });

  test("records of wrong values are counted, and the others come", async () => {
    const { figures, messages } = await readMade("slack", {
      ...lists,
      "groups.json": { not: "a list" },
      "general/2020-09-13.json": [message(10, { text: 5 }), null, message(11, { ts: "soon" }), message(12)],
    });
    expect(figures.skipped).toEqual([{ kind: "unknown_record", reason: "a value cannot be read", count: 4 }]);
    expect([...messages.keys()]).toEqual(["C1/1600000012.000100"]);
  });

  test("somebody whom only a mention, and later a profile names becomes a person", async () => {
    const { figures } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [
        message(10, { text: "<@U2|guest> <@U3>", reactions: [{ name: "tada", users: ["U4"] }] }),
        message(11, { user: "U2", user_profile: { real_name: "Gia Guest", name: "gia" } }),
      ],
    });
    expect(figures.people.map(({ id, name, messages }) => [id, name, messages])).toEqual([
      ["U1", "Ada", 1],
      ["U2", "Gia Guest", 1],
      ["U3", "U3", 0],
      ["U4", "U4", 0],
    ]);
  });

  test("two names of one emoji are one reaction", async () => {
    const reactions = [
      { name: "+1", users: ["U1"], count: 2 },
      { name: "thumbsup", users: ["U1", "U2"], count: 3 },
    ];
    const { messages } = await readMade("slack", { ...lists, "general/2020-09-13.json": [message(10, { reactions })] });
    expect([...messages.values()][0]?.reactions).toEqual([
      { emoji: { unicode: "👍" }, count: 4, people: ["U1", "U2"] },
    ]);
  });

  test("a bot without text has that of its blocks", async () => {
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "Frost" } },
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "text", text: "to " },
              { type: "user", user_id: "U1" },
            ],
          },
        ],
      },
    ];
    const { messageWith } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [
        message(10, { text: "", subtype: "bot_message", username: "Weather", user: undefined, blocks }),
      ],
    });
    expect(messageWith("Frost").content).toBe("**Frost**\nto @ada");
  });

  const bot = { text: "", subtype: "bot_message", username: "Weather", user: undefined };
  const section = (type: string, text: string) => ({ type: "section", text: { type, text } });
  const rich = (...elements: object[]) => ({ type: "rich_text", elements });
  const part = (type: string, elements: object[], more = {}) => ({ type: `rich_text_${type}`, elements, ...more });
  const words = (text: string, style?: object) => ({ type: "text", text, ...(style && { style }) });

  test.each<[name: string, blocks: object[], text: unknown]>([
    [
      "markup",
      [section("mrkdwn", "_it_ &amp;lt;b&amp;gt; `&amp;lt;` <@U1> :tada:")],
      ["_it_ &lt;b&gt; `&lt;` ", { person: "U1" }, " 🎉"],
    ],
    [
      "plain text",
      [section("plain_text", "plain *x* &amp; <b> :tada:\n- a_b")],
      ["plain \\*x\\* &amp; <b> 🎉\n\\- a_b"],
    ],
    [
      "styles",
      [
        rich(
          part("section", [
            words("a "),
            words("b ", { bold: true, italic: true }),
            words("c*", { code: true }),
            words(" _d_", { strike: true }),
          ]),
        ),
      ],
      ["a **_b_** `c*` ~~\\_d\\_~~"],
    ],
    [
      "lists, quotes and code",
      [
        rich(
          part("section", [words("all:\n")]),
          part("list", [part("section", [words("one")]), part("section", [words("two")])], { style: "bullet" }),
          part("list", [part("section", [words("three")])], { style: "ordered", indent: 1, offset: 2 }),
          part("quote", [words("said\nso")]),
          part("preformatted", [words("x = *1*\n")]),
          part("section", [words("end")]),
        ),
      ],
      ["all:\n• one\n• two\n    3. three\n> said\n> so\n```\nx = *1*\n```\nend"],
    ],
    [
      "names",
      [
        rich(
          part("section", [
            ...[
              { type: "broadcast", range: "here" },
              { type: "user", user_id: "U1" },
              { type: "channel", channel_id: "C1" },
            ],
            ...[{ type: "usergroup", usergroup_id: "S1" }, { type: "emoji", name: "+1", skin_tone: 3 }, words(" ")],
            ...[{ type: "date", timestamp: 1, format: "{date}", fallback: "1 Jan" }, words(" ")],
            { type: "link", url: "https://example.org/a", text: "page" },
          ]),
        ),
      ],
      [{ everyone: "here" }, { person: "U1" }, { channel: "C1" }, "@S1👍🏼 1 Jan [page](https://example.org/a)"],
    ],
  ])("%s in blocks are converted once", async (_, blocks, text) => {
    const { messages } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [message(10, { ...bot, blocks })],
    });
    expect([...messages.values()].map((each) => each.text)).toEqual([text]);
  });

  test("blocks alone make a message of a person, and a picture alone one of a bot", async () => {
    const blocks = [rich(part("section", [words("blocks only")]))];
    const picture = [{ type: "image", image_url: "https://example.org/a.png", alt_text: "a" }];
    const { messages } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [message(10, { text: "", blocks }), message(11, { ...bot, blocks: picture })],
    });
    const [first, second] = [...messages.values()];
    expect(first).toMatchObject({ author: "U1", text: ["blocks only"] });
    expect(second?.embeds).toEqual([
      expect.objectContaining({ image: expect.objectContaining({ url: "https://example.org/a.png" }) }),
    ]);
  });

  test("a message says itself that it is pinned, and by whom", async () => {
    const pinned = { pinned_to: ["C1"], pinned_info: { channel: "C1", pinned_by: "U1", pinned_ts: 1_600_000_050 } };
    const { messages } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [message(10, pinned), message(11, { pinned_to: ["C2"] })],
    });
    expect([...messages.values()].map((each) => each.pinned)).toEqual([{ at: 1_600_000_050_000, by: "U1" }, null]);
  });

  test("people of an organisation's list, Slack's own bot and writers of remarks are people", async () => {
    const { messages, records } = await readMade("slack", {
      ...lists,
      "org_users.json": [
        { id: "U1", name: "other" },
        { id: "U7", name: "gia", profile: { real_name: "Gia" } },
      ],
      "general/2020-09-13.json": [
        message(10, { user: "USLACKBOT" }),
        message(11, { user: undefined, subtype: "file_comment", comment: { user: "U7" } }),
      ],
    });
    expect([...messages.values()].map(({ author }) => author)).toEqual(["USLACKBOT", "U7"]);
    const people = records.flatMap((each) => (each.kind === "person" ? [[each.id, each.name, each.isBot]] : []));
    expect(people).toEqual([
      ["U1", "Ada", false],
      ["U7", "Gia", false],
      ["USLACKBOT", "Slackbot", true],
    ]);
  });

  test("canvases of channels and lists are counted", async () => {
    const { figures } = await readMade("slack", {
      ...lists,
      "general/canvas_in_the_conversation.json": [{ id: "F1" }],
      "lists.json": [{ id: "F2" }],
    });
    expect(figures.skipped).toEqual([{ kind: "canvas", reason: "no place for it", count: 2 }]);
  });

  test("texts of attachments have names of people, channels and emoji", async () => {
    const text = "hi <@U1> in <#C1|x> :tada: <!here> *b* &amp;lt;";
    const { messages } = await readMade("slack", {
      ...lists,
      "general/2020-09-13.json": [message(10, { ...bot, attachments: [{ title: ":+1:", text }] })],
    });
    expect([...messages.values()][0]?.embeds).toEqual([
      expect.objectContaining({ title: "👍", description: "hi @ada in #general 🎉 @here **b** &lt;" }),
    ]);
  });

  test("conversations of few among the private channels, and folders that no list names, are counted", async () => {
    const { figures } = await readMade("slack", {
      ...lists,
      "groups.json": [{ id: "G1", name: "mpdm-a--b-1", is_mpim: true }],
      "mpdm-a--b-1/2020-09-13.json": [message(10)],
      "lost/2020-09-13.json": [message(11), message(12)],
    });
    expect(figures.skipped).toEqual([
      { kind: "message", reason: "channel is not in the archive", count: 2 },
      { kind: "direct_message", reason: "private conversation", count: 1 },
    ]);
  });
});
