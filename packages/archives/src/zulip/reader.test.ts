import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { comparable, summarise } from "@parley/testing/archives";
import { describe, expect, onTestFinished, test } from "vitest";
import { openArchive } from "../open/open-archive.js";
import { readSample } from "../read-sample-fixture.js";
import { recogniseReader } from "../readers.js";
import { readRecords } from "../records.js";

const { golden, summary } = await readSample("zulip");
const { messages, messageWith, records } = summary;
const ofKind = <K extends (typeof records)[number]["kind"]>(kind: K) =>
  records.filter((record): record is Extract<typeof record, { kind: K }> => record.kind === kind);
const message = (id: number) => messages.get(String(id));
const [emoji] = ofKind("emoji");

describe("the sample", () => {
  test("the sample of Zulip becomes what its golden file says", () => {
    expect(comparable(summary.figures)).toEqual(comparable(golden));
  });

  test("a topic is a thread of its oldest message with the topic as title, whatever its case", () => {
    expect(message(1092)).toMatchObject({ thread: null, threadTitle: "Odd Topic" });
    expect(message(1093)).toMatchObject({ thread: "1092" });
    const replies = [...messages.values()].filter(({ thread }) => thread === "1001");
    expect(message(1001)).toMatchObject({ channel: "3", thread: null, threadTitle: "SPRING PLAN" });
    expect(replies.length).toBeGreaterThan(3);
    expect(new Set(replies.map(({ channel }) => channel))).toEqual(new Set(["3"]));
  });

  test("messages of the empty topic stand in the channel, in their order", () => {
    const three = [1094, 1095, 1096].map(message);
    expect(three.map((each) => each?.thread)).toEqual([null, null, null]);
    expect(new Set(three.map((each) => each?.at)).size).toBe(1);
    expect([...messages.keys()].filter((id) => ["1094", "1095", "1096"].includes(id))).toEqual([
      "1094",
      "1095",
      "1096",
    ]);
  });

  test("a resolved topic is closed, without its mark", () => {
    expect(message(1090)).toMatchObject({ threadTitle: "water bill", threadClosed: true });
    expect(message(1091)).toMatchObject({ thread: "1090" });
  });

  test("the first message of a person is the root where a notice came before", () => {
    expect(message(1086)).toBeUndefined();
    expect(message(1087)).toMatchObject({ thread: null, threadTitle: "channel events" });
    expect(message(1088)).toMatchObject({ thread: "1087" });
  });

  test("folders, private and archived channels", () => {
    expect(ofKind("category")).toMatchObject([{ name: "Beds" }]);
    expect(ofKind("channel")).toMatchObject([
      { name: "general", category: ofKind("category")[0]?.id, private: false, archived: false },
      { name: "tools" },
      { name: "Vorstand & Kasse", category: null, private: true },
      { name: "old plans", archived: true },
      { name: "announce" },
    ]);
  });

  test.each([
    [1097, [{ person: "19" }, " is not ", { person: "11" }, ", ", { person: "12", silent: true }, " is silent"]],
    [1098, [{ everyone: "everyone" }, " and @keyholders and @topic"]],
    [1099, ["see ", { channel: "4" }, " and ", { channel: "4" }, " > fence and never was"]],
    [1100, ["Well done 🎉 ", { emoji: emoji?.id }, " 🙂 :not_there:"]],
    [1101, ["Read at 2022-04-05 16:00:00 UTC"]],
    [1102, ["The end\n||he was the gardener||"]],
    [1103, ["~~gone~~ **bold** *slanted* `code` $$x^2$$"]],
    [1104, [{ person: "12", silent: true }, " said:\n> > inner words\n> \n> outer words\n\nmy answer"]],
    [1106, ["/me waves"]],
    [1108, ["/poll Only a question"]],
    [1170, [{ person: "13" }, " The water tap is too heavy for one. Let me know before noon. (10)"]],
  ])("the text of message %i", (id, text) => {
    expect(message(id)?.text).toEqual(text);
  });

  test("a poll has its options and no votes", () => {
    expect(message(1107)).toMatchObject({
      text: ["📊 Poll: Which day?"],
      poll: { question: "Which day?", options: [{ text: "Saturday" }, { text: "Sunday" }], namelessVotes: 0 },
    });
  });

  test("reactions are fully-qualified emoji, and own ones", () => {
    expect(messageWith("Reactions of every kind").reactions).toEqual([
      { emoji: { unicode: "🙂" }, count: 1, people: ["11"] },
      { emoji: { unicode: "❤️" }, count: 1, people: ["12"] },
      { emoji: { own: emoji?.id }, count: 1, people: ["13"] },
    ]);
  });

  test("an edit of the text has its time, and a move is none", () => {
    expect(message(1030)?.editedAt).toBe(1649066533215);
    expect(message(1109)?.editedAt).toBeNull();
  });

  test("links of uploads become files, one upload of both messages that have it", () => {
    const picture = { entry: "uploads/2/96/q_yn4wBqpv2caBffhB/überblick.png", name: "überblick.png", size: 182 };
    expect(message(1115)).toMatchObject({
      text: ["three files"],
      files: [picture, { name: "plan.docx", size: 269 }, { entry: null, name: "lost.png" }],
    });
    expect(message(1116)).toMatchObject({ text: ["the same picture"], files: [picture] });
    expect(message(1001)?.text).toEqual(["Somebody's wheelbarrow is ready for Saturday. Nothing urgent. (0)"]);
  });

  test("who was switched off or deleted is a person, with the address of delivery", () => {
    const people = new Map(ofKind("person").map((person) => [person.id, person]));
    expect(people.get("21")).toMatchObject({ name: "Wim Walker", deleted: true });
    expect(people.get("22")).toMatchObject({ name: "Deleted user 4711", deleted: true });
    expect(people.get("11")).toMatchObject({ email: "ada.lind@example.org", deleted: false });
    expect(people.get("23")).toMatchObject({ isBot: true });
  });
});

describe("other exports", () => {
  const write = (id: number, more: object = {}) => ({
    id,
    sender: 11,
    recipient: 40,
    subject: "Tea",
    content: `message ${id}`,
    date_sent: 1649062801 + id,
    last_edit_time: null,
    edit_history: null,
    ...more,
  });
  const realm = {
    zerver_realm: [{ id: 2, name: "R" }],
    zerver_userprofile: [{ id: 11, full_name: "Ann" }],
    zerver_userprofile_crossrealm: [
      { id: 5, email: "notification-bot@zulip.com" },
      { id: 7, email: "emailgateway@zulip.com" },
    ],
    zerver_stream: [{ id: 3, name: "general" }],
    zerver_recipient: [{ id: 40, type: 2, type_id: 3 }],
  };

  async function read(files: Record<string, object[]>, tables: object = {}) {
    const folder = await mkdtemp(join(tmpdir(), "zulip-export-"));
    const messageFiles = Object.entries(files).map(([name, list]) => [name, { zerver_message: list }] as const);
    for (const [name, value] of [["realm.json", { ...realm, ...tables }], ...messageFiles] as const) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), JSON.stringify(value));
    }
    const archive = await openArchive(folder, { maxBytes: 10_000_000, temporaryFolder: tmpdir() });
    onTestFinished(() => archive.close());
    const reader = await recogniseReader(archive);
    if (reader?.source !== "zulip") throw new Error("It is not recognised.");
    return summarise(archive, readRecords(reader, archive));
  }
  const textOf = async (content: string, more: object = {}) =>
    (await read({ "messages-000001.json": [write(1, { content, ...more })] })).messages.get("1")?.text;

  test("the root of a topic may stand in a later file", async () => {
    const { messages: found } = await read({
      "messages-000001.json": [write(2, { subject: "TEA" })],
      "messages-000002.json": [write(1)],
    });
    expect(found.get("1")).toMatchObject({ thread: null, threadTitle: "Tea" });
    expect(found.get("2")).toMatchObject({ thread: "1" });
    expect(found.get("2")?.threadTitle).toBeUndefined();
  });

  test("the gateway of mails is a bot, and somebody in no list a deleted person", async () => {
    const { records: all } = await read({
      "messages-000001.json": [write(1, { sender: 7 }), write(2, { sender: 99 })],
    });
    expect(all).toContainEqual(
      expect.objectContaining({ kind: "person", id: "7", isBot: true, username: "emailgateway" }),
    );
    expect(all).toContainEqual(expect.objectContaining({ kind: "person", id: "99", isBot: false, deleted: true }));
  });

  test("an emoji is what the message's rendering shows, else what reactions of that name are", async () => {
    const rendered_content = '<span aria-label="a" class="emoji emoji-1f408" role="img" title="a">:pet:</span>';
    expect(await textOf(":pet:", { rendered_content })).toEqual(["🐈"]);
    const reaction = {
      user_profile: 11,
      message: 1,
      emoji_name: "pet",
      emoji_code: "1f415",
      reaction_type: "unicode_emoji",
    };
    const { messages: found } = await read(
      { "messages-000001.json": [write(1, { content: ":pet:" })] },
      { zerver_reaction: [reaction, { ...reaction, emoji_code: "1f408", user_profile: 98 }] },
    );
    expect(found.get("1")).toMatchObject({
      text: ["🐈"],
      reactions: [
        { emoji: { unicode: "🐕" }, people: ["11"] },
        { emoji: { unicode: "🐈" }, count: 1, people: [] },
      ],
    });
  });

  test.each([
    ["```python\nx = 1 # @**Ann**\n```", ["```python\nx = 1 # @**Ann**\n```"]],
    ["```math\nx^2\n```\nbehind", ["```\nx^2\n```\nbehind"]],
    ["~~~ quote\na\n~~~", ["> a"]],
    ["```quote\nnever closed", ["> never closed"]],
    ["`@**Ann**` @**Nobody**", ["`@**Ann**` @Nobody"]],
    ["```spoiler\nhidden\n```", ["Spoiler\n||hidden||"]],
    ["```quote\n```python\nx = 1\n```\nsaid so\n```\nend", ["> ```python\n> x = 1\n> ```\n> said so\n\nend"]],
    ["```QUOTE\n```quoted\nin\n```\nout\n```\nend", ["> > in\n> \n> out\n\nend"]],
    ["````quote\n```js\n```quote\n```\nin\n````\nend", ["> ```js\n> ```quote\n> ```\n> in\n\nend"]],
    ["```Spoiler T\na\n```", ["T\n||a||"]],
    ["<time:1700000000>", ["2023-11-14 22:13:20 UTC"]],
    ["@_**Ann|11** [said](#narrow/channel/3-general/near/5):", [{ person: "11", silent: true }, " said:"]],
  ])("of %j comes %j", async (content, text) => {
    expect(await textOf(content)).toEqual(text);
  });

  test("a link of an upload in code stays, and an upload that a text links twice is one file", async () => {
    const link = "[a.png](/user_uploads/2/x/a.png)";
    const { messages: found } = await read({
      "messages-000001.json": [write(1, { content: `\`${link}\` code` }), write(2, { content: `${link} and ${link}` })],
    });
    expect(found.get("1")).toMatchObject({ text: [`\`${link}\` code`], files: [] });
    expect(found.get("2")?.files).toEqual([{ entry: null, name: "a.png", size: 0 }]);
  });

  test("a message without a history of edits comes", async () => {
    expect(await textOf("old", { edit_history: undefined })).toEqual(["old"]);
  });

  test("a wrong value spoils its record", async () => {
    const { messages: found, records: all } = await read({
      "messages-000001.json": [{ id: "x" }, write(2), write(3, { last_edit_time: "x" })],
    });
    expect([...found.keys()]).toEqual(["2"]);
    for (const place of [1, 3]) {
      const example = `messages-000001.json, record ${place}`;
      expect(all).toContainEqual(expect.objectContaining({ thing: "unknown_record", example }));
    }
  });
});
