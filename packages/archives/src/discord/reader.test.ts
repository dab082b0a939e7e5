import { comparable } from "@parley/testing/archives";
import { describe, expect, test } from "vitest";
import { readMade, readSample } from "../read-sample-fixture.js";

const { golden, summary } = await readSample("discord");
const { messageWith, messages, records } = summary;

test("the sample of Discord becomes what its golden file says", () => {
  const people = golden.people.map((person) =>
    // The archive has no other name of this webhook.
    person.name === "Weather" ? { ...person, name: "Frost warning", username_base: "Frost_warning" } : person,
  );
  const channels = golden.channels.map((channel) => ({ ...channel, private: channel.private || null }));
  expect(comparable(summary.figures)).toEqual(comparable({ ...golden, people, channels }));
});

describe("in the sample", () => {
  test.each<[row: string, found: () => unknown, expected: unknown]>([
    [
      "a thread's replies follow the message that began it",
      () => {
        const root = [...messages.values()].find(({ threadTitle }) => threadTitle === "About 43");
        const replies = [...messages.values()].filter(({ thread }) => thread === root?.id);
        return [root?.thread, replies.length, replies[0]?.channel === root?.channel];
      },
      [null, 1, true],
    ],
    [
      "the notice of a thread is its root",
      () => {
        const { content, threadTitle, author, at, id, channel } = messageWith("Spring list");
        const replies = [...messages.values()].filter(({ thread }) => thread === id).length;
        return { content, threadTitle, author, at, channel, replies };
      },
      {
        content: "Spring list",
        threadTitle: "Spring list",
        author: "1066871422904696838",
        at: Date.parse("2023-02-03T16:46:03.448Z"),
        channel: "1060999145646456854",
        replies: 3,
      },
    ],
    [
      "a post of a forum is a root with its title",
      () => {
        const { threadTitle, channel, thread } = messageWith("The seed box was moved last night. I can bring gloves.");
        return [threadTitle, channel, thread];
      },
      ["Bees / yes or no?", "1061418576046457112", null],
    ],
    [
      "times are of UTC",
      () => messageWith("The compost needs a second look. Who has time? (25)").at,
      1_675_435_392_938,
    ],
    [
      "a path of Windows is found",
      () =>
        messageWith("The compost needs a second look. Who has time? (25)").files.map(({ name, size }) => [name, size]),
      [["png-25.png", 182]],
    ],
    [
      "a file that was not downloaded has its name",
      () => messageWith("The file of this one").files,
      [{ entry: null, name: "lost.png", size: 0 }],
    ],
    [
      "an own emoji has its new name in texts",
      () => messageWith("Own emoji").content,
      "Own emoji :partyblob: in the text",
    ],
    [
      "reactions have people and a count",
      () => messageWith("Many liked this").reactions,
      [{ emoji: { unicode: "🎉" }, count: 5, people: ["1066871171246456837", "1066871422904696838"] }],
    ],
    [
      "tones are reactions of their own",
      () => {
        const emoji = [...messages.values()].flatMap(({ reactions }) => reactions.map((each) => each.emoji));
        return [{ unicode: "👍" }, { unicode: "👍🏽" }].map((one) =>
          emoji.some((each) => JSON.stringify(each) === JSON.stringify(one)),
        );
      },
      [true, true],
    ],
    [
      "an embed of a bot has the form of ours",
      () =>
        messageWith("Gate opened").embeds.map(({ title, description, color, fields, url }) => [
          title,
          description,
          color,
          fields,
          url,
        ]),
      [["Gate", "Opened by **key 4**", "#2ecc71", [{ name: "Side", value: "north", inline: true }], null]],
    ],
    ["a card of a link is none", () => messageWith("https://example.org/soil").embeds, []],
    ["a sticker is its name", () => messageWith("Wave").content, "Wave"],
    ["a forwarded message is a quote", () => messageWith("Bring string").content, "> Bring string on Sunday"],
    ["a bot's answer to a command is a message", () => messageWith("Pong").author, "1066873687828856847"],
    [
      "channels of one name have their own categories",
      () =>
        records.flatMap((record) => (record.kind === "channel" && record.name === "general" ? [record.category] : [])),
      ["1060579715246456852", "1060579715246456853"],
    ],
    ["pins have neither time nor person", () => messageWith("Where do the beans go?").pinned, { at: null, by: null }],
  ])("%s", (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});

const guild = { id: "7", name: "Garden", iconUrl: "icons/g.png" };
const user = (id: string, more = {}) => ({ id, name: `u${id}`, nickname: `N ${id}`, isBot: false, ...more });
const message = (id: string, more = {}) => ({
  id,
  type: "Default",
  timestamp: "2024-01-01T10:00:00.5+00:00",
  content: `text ${id}`,
  author: user("1"),
  ...more,
});
const file = (channel: object, messages: unknown, exportedAt = "2024-02-01T00:00:00+00:00") => ({
  guild,
  channel: { type: "GuildTextChat", categoryId: "8", category: "Beds", topic: null, ...channel },
  exportedAt,
  messages,
});
const general = { id: "100", name: "general" };
const thread = { id: "201", name: "Seeds", type: "GuildPublicThread", categoryId: "100", category: "general" };

describe("of other archives", () => {
  test("the newer form of a message counts, in whatever order the files come", async () => {
    const { messages } = await readMade("discord", {
      "a.json": file(general, [message("200", { content: "new" })], "2024-03-01T00:00:00+00:00"),
      "b.json": file(general, [message("200", { content: "old" })]),
    });
    expect([...messages.values()].map(({ text }) => text)).toEqual([["new"]]);
  });

  test("a record of wrong values is counted, and the others come", async () => {
    const { figures, messages } = await readMade("discord", {
      "a.json": file(general, [
        message("200", { content: 5 }),
        "x",
        null,
        message("201", { timestamp: "once" }),
        message("202"),
      ]),
      "b.json": file({ id: "101", name: "b" }, { not: "a list" }),
      "c.json": { other: true },
    });
    expect(figures.skipped).toEqual([
      { kind: "unknown_record", reason: "file is no export of a channel", count: 1 },
      { kind: "unknown_record", reason: "a value cannot be read", count: 5 },
    ]);
    expect([...messages.keys()]).toEqual(["202"]);
  });

  test("the file of a mirror says which messages were there and here, and a wrong line is counted", async () => {
    const uuid = (end: number) => `019b0000-0000-7000-8000-00000000000${end}`;
    const copy = (from: string, id: string) => ({
      ...{ from, discord: { channel: "100", message: id }, parley: { channel: uuid(1), message: uuid(2) } },
    });
    const lines = [copy("discord", "200"), copy("parley", "201"), copy("nowhere", "202"), copy("discord", "x"), 5];
    const { records, figures } = await readMade("discord", {
      "a.json": file(general, [message("200")]),
      "mirror/parley-mirror.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
    expect(records.filter(({ kind }) => kind === "copy")).toEqual(
      ["200", "201"].map((id, at) => ({
        ...{ kind: "copy", id, channel: "100", here: { channel: uuid(1), message: uuid(2) }, isOriginalHere: at === 1 },
      })),
    );
    expect(figures.skipped).toEqual([{ kind: "unknown_record", reason: "a value cannot be read", count: 3 }]);
  });

  test("a message of an impossible time is counted", async () => {
    const times = ["1969-12-31T23:59:59Z", new Date(Date.now() + 3 * 24 * 3_600_000).toISOString()];
    const { figures } = await readMade("discord", {
      "a.json": file(
        general,
        times.map((timestamp, at) => message(`20${at}`, { timestamp })),
      ),
    });
    expect(figures.skipped).toEqual([{ kind: "unknown_record", reason: "time is out of range", count: 2 }]);
  });

  test("a thread whose notice or parent is missing loses nothing", async () => {
    const { figures, messages } = await readMade("discord", {
      "t.json": file(thread, [message("300", { type: "21" }), message("301")]),
    });
    expect([...messages.values()].map(({ id, channel, thread }) => [id, channel, thread])).toEqual([
      ["301", "100", "201"],
    ]);
    expect(figures.channels.map(({ id, name }) => [id, name])).toEqual([["100", "general"]]);
    expect(figures.skipped).toContainEqual({ kind: "thread", reason: "root is not in the archive", count: 1 });
  });

  test("a notice of a thread that a message began leaves that message alone, in whatever order they stand", async () => {
    const notice = (id: string, channelId: string) =>
      message(id, { type: "ThreadCreated", author: user("2"), reference: { channelId, messageId: null } });
    const begun = (id: string) => ({ ...thread, id });
    const { messages, figures } = await readMade("discord", {
      "a.json": file(general, [message("201"), notice("202", "201"), notice("203", "204"), message("204")]),
      "s.json": file(begun("201"), [message("300", { type: "21" }), message("301")]),
      "t.json": file(begun("204"), [message("302")]),
    });
    expect([...messages.values()].map(({ id, text, author, thread }) => [id, text, author, thread])).toEqual([
      ["201", ["text 201"], "1", null],
      ["204", ["text 204"], "1", null],
      ["301", ["text 301"], "1", "201"],
      ["302", ["text 302"], "1", "204"],
    ]);
    expect(figures.skipped).toContainEqual({ kind: "system_message", reason: "thread started", count: 2 });
  });

  test("a notice of a thread is its root where nothing comes of the message that began it", async () => {
    const notice = message("202", { type: "ThreadCreated", reference: { channelId: "201", messageId: null } });
    const { messages } = await readMade("discord", {
      "a.json": file(general, [message("201", { content: "" }), notice]),
      "t.json": file(thread, [message("301")]),
    });
    expect(messages.get("201")?.text).toEqual(["Seeds"]);
  });

  test("a notice of a thread that has no file is a system message", async () => {
    const notice = message("200", { type: "ThreadCreated", reference: { channelId: "201", messageId: null } });
    const { figures } = await readMade("discord", { "a.json": file(general, [notice]) });
    expect(figures.skipped).toEqual([{ kind: "system_message", reason: "thread started", count: 1 }]);
  });

  test("an answer to the first message of a thread is one to its root", async () => {
    const answer = message("302", { type: "Reply", reference: { messageId: "300", channelId: "201" } });
    const { messages } = await readMade("discord", {
      "a.json": file(general, [message("201")]),
      "t.json": file(thread, [message("300", { type: "21" }), answer]),
    });
    expect(messages.get("302")?.replyTo).toBe("201");
  });

  test("an answer to the first message of a thread is one to its root, also from another part of the file", async () => {
    const answer = message("302", { type: "Reply", reference: { messageId: "300", channelId: "201" } });
    const { messages } = await readMade("discord", {
      "a.json": file(general, [message("201")]),
      "t [part 2].json": file(thread, [answer]),
      "t.json": file(thread, [message("300", { type: "21" })]),
    });
    expect(messages.get("302")?.replyTo).toBe("201");
  });

  test("a category without an id is one of its name", async () => {
    const place = (id: string, name: string) => file({ id, name, categoryId: undefined, category: "Beds" }, []);
    const { records } = await readMade("discord", { "a.json": place("100", "a"), "b.json": place("101", "b") });
    const categories = records.flatMap((record) => (record.kind === "category" ? [record] : []));
    expect(categories.map(({ name }) => name)).toEqual(["Beds"]);
    const channels = records.flatMap((record) => (record.kind === "channel" ? [record.category] : []));
    expect(channels).toEqual([categories[0]?.id, categories[0]?.id]);
  });

  test("media is found in a folder of all media, by an encoded path, and as picture of guild and people", async () => {
    const attachments = [{ url: "..\\media\\caf%C3%A9-1f.png", fileName: "café.png" }];
    const { messages, records } = await readMade("discord", {
      "texts/a.json": file(general, [
        message("200", { attachments, author: user("1", { avatarUrl: "media/face-2a.png" }) }),
      ]),
      "media/café-1f.png": "x",
      "media/face-2a.png": "face",
      "texts/icons/g.png": "icon!",
    });
    expect(messages.get("200")?.files).toEqual([{ entry: "media/café-1f.png", name: "café.png", size: 1 }]);
    expect(records.flatMap((record) => (record.kind === "person" ? [record.avatar?.size] : []))).toEqual([4]);
    expect(records.flatMap((record) => (record.kind === "server" ? [record.icon?.size] : []))).toEqual([5]);
  });

  test("a webhook keeps the name that it had first, and its messages theirs", async () => {
    const hook = (name: string) => ({ author: { id: "9", name, isBot: true } });
    const { figures, messages } = await readMade("discord", {
      "a.json": file(general, [message("200", hook("Weather")), message("201", hook("Frost warning"))]),
    });
    expect(figures.people.map(({ name, bot }) => [name, bot])).toEqual([["Weather", true]]);
    expect([...messages.values()].map(({ webhookName }) => webhookName)).toEqual([undefined, "Frost warning"]);
  });

  test("roles of people are not lost where a reaction names them without", async () => {
    const roles = [{ id: "50", name: "Keyholders", color: null, position: 3 }];
    const reactions = [
      { emoji: { id: "", name: "👍\ufe0f" }, count: 1, users: [user("1")] },
      { emoji: { id: "", name: "👍" }, count: 3, users: [user("2")] },
    ];
    const { records, messages } = await readMade("discord", {
      "a.json": file(general, [message("200", { author: user("1", { roles }), reactions })]),
    });
    expect(records.flatMap((record) => (record.kind === "person" ? [[record.id, record.roles]] : []))).toEqual([
      ["1", ["50"]],
      ["2", []],
    ]);
    expect(messages.get("200")?.reactions).toEqual([{ emoji: { unicode: "👍" }, count: 4, people: ["1", "2"] }]);
  });

  test("texts of embeds have names of people and channels, and further pictures are embeds", async () => {
    const picture = (name: string) => ({ url: `https://example.org/${name}.png` });
    const embeds = [
      {
        ...{ title: "@N 2", description: "<@2> in <#100>", fields: [{ name: "#general", value: "<@9>" }] },
        ...{ image: picture("a"), images: [picture("a"), picture("b")] },
      },
    ];
    const { messages } = await readMade("discord", {
      "a.json": file(general, [message("200", { author: user("1", { isBot: true }), mentions: [user("2")], embeds })]),
    });
    const fields = [{ name: "#general", value: "<@9>", inline: false }];
    expect(messages.get("200")?.embeds).toMatchObject([
      { title: "@u2", description: "@u2 in #general", fields, image: picture("a") },
      { image: picture("b") },
    ]);
  });

  test("wrong syntax in a file fails the archive and is named", async () => {
    const text = JSON.stringify(file(general, [message("200"), message("201")])).replace("]}", ', {"id": }]}');
    await expect(readMade("discord", { "a.json": text })).rejects.toThrow("a.json, record 3 of messages: is not JSON.");
  });

  test.each([
    ["with", "2024-02-01T00:00:00+00:00"],
    ["without", undefined],
  ])("wrong syntax in the first message of a file %s a time of export is named, too", async (_, exportedAt) => {
    const text = JSON.stringify({ ...file(general, [message("200")]), exportedAt, messages: [{ id: 5 }] });
    await expect(readMade("discord", { "a.json": text.replace('"id":5', '"id":') })).rejects.toThrow(
      "a.json, record 1 of messages: is not JSON.",
    );
  });

  test("a file whose keys were sorted is read", async () => {
    const sorted = Object.fromEntries(Object.entries(file(general, [message("200")])).sort());
    const { messages } = await readMade("discord", { "a.json": sorted });
    expect([...messages.keys()]).toEqual(["200"]);
  });
});
