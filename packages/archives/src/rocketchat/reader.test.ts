import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { comparable, sampleArchive, summarise } from "@parley/testing/archives";
import { serialize } from "bson";
import { describe, expect, onTestFinished, test } from "vitest";
import { openArchive } from "../open/open-archive.js";
import { readSample } from "../read-sample-fixture.js";
import { recogniseReader } from "../readers.js";
import { readRecords } from "../records.js";

const { golden, summary } = await readSample("rocketchat");
const { messageWith, messages, records } = summary;
const ofKind = <K extends (typeof records)[number]["kind"]>(kind: K) =>
  records.filter((record): record is Extract<typeof record, { kind: K }> => record.kind === kind);
const person = (username: string) => ofKind("person").find((record) => record.username === username);
const channel = (name: string) => ofKind("channel").find((record) => record.name === name);
const options = { maxBytes: 10_000_000, temporaryFolder: tmpdir() };

/** A dump folder with these collections, as it becomes. */
async function readDump(collections: Record<string, object[] | Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), "rocketchat-dump-"));
  await mkdir(join(folder, "chat"));
  for (const [name, documents] of Object.entries({ rocketchat_message: [], ...collections })) {
    const bytes = Array.isArray(documents) ? Buffer.concat(documents.map((each) => serialize(each))) : documents;
    await writeFile(join(folder, "chat", Buffer.isBuffer(documents) ? name : `${name}.bson`), bytes);
  }
  const archive = await openArchive(folder, options);
  onTestFinished(() => archive.close());
  const reader = await recogniseReader(archive);
  if (reader === null) throw new Error("It is not recognised.");
  return summarise(archive, readRecords(reader, archive));
}

const at = new Date("2024-01-09T06:57:33.755Z");
const user = { _id: "ann", username: "ann", name: "Ann", type: "user", active: true, createdAt: at };
const room = { _id: "r", t: "c", name: "room" };
const message = (id: string, more: object = {}) => ({ _id: id, rid: "r", msg: id, ts: at, u: user, ...more });

describe("the sample", () => {
  test("the sample of Rocket.Chat becomes what its golden file says", () => {
    // No settings are read, so that the first account stands for the workspace.
    const servers = [{ name: null, external_id: "29rpPe8boEFWRRonh" }];
    expect(comparable(summary.figures)).toEqual(comparable({ ...golden, servers }));
  });

  test("rooms are channels by their shown names, and the rooms of a team one category", () => {
    expect(channel("Tools & more")).toMatchObject({ topic: "Who has which tool", private: false });
    expect(channel("Board")).toMatchObject({ private: true });
    expect(channel("old-plans")).toMatchObject({ archived: true });
    expect(channel("Which beans?")).toMatchObject({ id: "k8TCevXEW2QgFn75L", category: null });
    const [team] = ofKind("category");
    expect(team?.name).toBe("Repair Café");
    expect([channel("Repair Café")?.category, channel("bench")?.category]).toEqual([team?.id, team?.id]);
  });

  test("an answer loses its link and its quote", () => {
    const answer = messageWith("The seed box is too heavy for one. Numbers are in the list. (26)");
    expect(answer).toMatchObject({
      replyTo: "HGtegYzb227Z2SFru",
      content: "The seed box is too heavy for one. Numbers are in the list. (26)",
      embeds: [],
    });
    expect(messageWith("an answer to nothing").replyTo).toBe("9v8r6P6RJRLp6d53h");
  });

  test("a reply that the channel shows, too, comes once, in its thread", () => {
    expect(messageWith("seen in the channel, too").thread).toBe(messageWith("root of a thread").id);
    expect([...messages.values()].filter(({ text }) => text[0] === "seen in the channel, too")).toHaveLength(1);
  });

  test("of a message that comes twice the newer one counts", () => {
    expect(messages.get("5nWdnRPmFno6Jw92u")).toMatchObject({
      text: ["twice, the newer"],
      editedAt: expect.any(Number),
    });
  });

  test("mentions are people, everybody and channels; unknown ones stay", () => {
    expect(messageWith("see #Tools").text).toEqual([
      { person: person("bram.okafor")?.id },
      ", (",
      { person: person("celia_nunes")?.id },
      ") see ",
      { channel: channel("Tools & more")?.id },
      " and #nowhere",
    ]);
    expect(messages.get("cdHqJgdQ6c8SRerxG")?.text).toEqual([{ everyone: "everyone" }, " and ", { everyone: "here" }]);
  });

  test("marks and names of emoji become Markdown and emoji", () => {
    expect(messages.get("xg8L6KexnGqxaoMs7")?.text).toEqual(["**bold** _slanted_ ~~gone~~ `code`"]);
    expect(messages.get("quXK378o5xAA3owGw")?.text).toEqual([
      "Well done 🎉 👍🏻 ",
      { emoji: ofKind("emoji")[0]?.id },
      " :not_there:",
    ]);
  });

  test("reactions are of the people with these usernames", () => {
    expect(messageWith("Reactions of every kind").reactions).toEqual([
      { emoji: { unicode: "👍🏽" }, count: 1, people: [person("ada_lind")?.id] },
      { emoji: { unicode: "👍" }, count: 1, people: [person("bram.okafor")?.id] },
      { emoji: { own: ofKind("emoji")[0]?.id }, count: 1, people: [person("celia_nunes")?.id] },
    ]);
  });

  test("a pin has its time and person", () => {
    const pinned = { at: Date.parse("2021-11-11T11:40:54.514Z"), by: person("bram.okafor")?.id };
    expect(messageWith("pinned by hand").pinned).toEqual(pinned);
  });

  test("an integration is a bot of the name shown, and a removed user a deleted person", () => {
    expect(person("Weather")).toMatchObject({ isBot: true, deleted: false });
    expect(messages.get("hyte44S2ocrHbTSPK")).toMatchObject({
      author: person("Weather")?.id,
      embeds: [
        {
          title: "Frost tonight",
          description: "Down to **-3**",
          url: "https://example.org/frost",
          fields: [{ name: "Wind", value: "north", inline: true }],
        },
      ],
    });
    expect(person("Removed User")).toMatchObject({ isBot: false, deleted: true });
    expect(person("left.long.ago")).toMatchObject({ name: "Left Longago", deleted: true });
  });

  test("a caption is the text, a thumbnail no file, and chunks in the wrong order make the file whole", () => {
    const { text, files } = messages.get("9iXSu5qGcuTdeJarx") ?? {};
    expect(text).toEqual(["with a caption"]);
    expect(files).toEqual([{ entry: "GridFS:FnmmWoCScGyZZNcPJ", name: "überblick.png", size: 182 }]);
  });

  test("addresses are not verified where Rocket.Chat did not, and no password, token or setting is anywhere", () => {
    expect(person("ada_lind")).toMatchObject({ email: "ada_lind@example.org", emailVerified: true });
    expect(person("bram.okafor")).toMatchObject({ email: "bram.okafor@example.org", emailVerified: false });
    expect(JSON.stringify(records)).not.toMatch(/bcrypt|\$2b\$|hashedToken|loginTokens|parsed form/);
  });
});

describe("other dumps", () => {
  test("collections that are packed are read, and a deleted root keeps its thread", async () => {
    const packed = gzipSync(
      Buffer.concat([
        serialize(message("root", { msg: "", t: "rm", tcount: 1 })),
        serialize(message("reply", { tmid: "root" })),
      ]),
    );
    const dump = await readDump({
      users: [user],
      rocketchat_room: [room],
      "rocketchat_message.bson.gz": packed,
      rocketchat_message: Buffer.alloc(0),
    });
    expect(dump.messages.get("root")).toMatchObject({ author: null, text: ["Message removed"] });
    expect(dump.messages.get("reply")).toMatchObject({ author: "ann", thread: "root" });
  });

  test("a file with a chunk too few is not in the archive", async () => {
    const file = { _id: "f", name: "a.txt" };
    const dump = await readDump({
      users: [user],
      rocketchat_room: [room],
      rocketchat_message: [message("m", { files: [file] })],
      rocketchat_uploads: [{ ...file, size: 6 }],
      "rocketchat_uploads.chunks": [
        { files_id: "f", n: 0, data: Buffer.from("abc") },
        { files_id: "f", n: 2, data: Buffer.from("def") },
      ],
    });
    expect(dump.messages.get("m")?.files).toEqual([{ entry: null, name: "a.txt", size: 0 }]);
  });

  test("a wrong value spoils its record", async () => {
    const dump = await readDump({
      users: [user],
      rocketchat_room: [room],
      rocketchat_message: [
        message("a"),
        message("b", { ts: "yesterday" }),
        message("c"),
        ...[{ reactions: 5 }, { editedAt: "x" }, { files: "x" }, { tmid: 5 }].map((wrong, at) =>
          message(`d${at}`, wrong),
        ),
      ],
    });
    expect([...dump.messages.keys()]).toEqual(["a", "c"]);
    for (const place of [2, 4, 5, 6, 7]) {
      const example = `rocketchat_message.bson, record ${place}`;
      expect(dump.records).toContainEqual(expect.objectContaining({ thing: "unknown_record", example }));
    }
  });

  test("texts of attachments have names of people, channels and emoji", async () => {
    const dump = await readDump({
      users: [{ ...user, username: "ann.b" }],
      rocketchat_room: [{ ...room, fname: "The room" }],
      rocketchat_message: [
        message("m", {
          ...{ msg: "", alias: "Weather", bot: { i: "x" }, attachments: [{ text: "*b* @ann.b #room :smile:" }] },
          ...{ mentions: [{ _id: "ann", username: "ann.b" }], channels: [{ _id: "r", name: "room" }] },
        }),
      ],
    });
    expect(dump.messages.get("m")?.embeds).toEqual([
      expect.objectContaining({ description: "**b** @ann_b #The room 😄" }),
    ]);
  });

  test("signs that mark nothing at Rocket.Chat are escaped, and a name that goes on is another one", async () => {
    const channels = [{ _id: "r", name: "room" }];
    const dump = await readDump({
      users: [user],
      rocketchat_room: [room],
      rocketchat_message: [
        message("a", { msg: "Title\n-----\n+ a\n1) x\n#### four\n- b\n1. c" }),
        message("b", { msg: "#room-x #room.", channels }),
      ],
    });
    expect(dump.messages.get("a")?.text).toEqual(["Title\n\\-----\n\\+ a\n1\\) x\n#### four\n- b\n1. c"]);
    expect(dump.messages.get("b")?.text).toEqual(["#room-x ", { channel: "r" }, "."]);
  });

  test("captions stand behind the text that does not have them", async () => {
    const attachments = (...descriptions: string[]) =>
      descriptions.map((description, at) => ({ type: "file", fileId: `f${at}`, description }));
    const dump = await readDump({
      users: [user],
      rocketchat_room: [room],
      rocketchat_message: [
        message("a", { msg: "look", attachments: attachments("*tap*", "well") }),
        message("b", { msg: "tap", attachments: attachments("tap") }),
      ],
    });
    expect(dump.messages.get("a")?.text).toEqual(["look\n**tap**\nwell"]);
    expect(dump.messages.get("b")?.text).toEqual(["tap"]);
  });

  test("U+0000 is in no name, id, address or key", async () => {
    const name = "a\0nn";
    const dump = await readDump({
      users: [{ ...user, username: name, name, emails: [{ address: `${name}@example.org`, verified: true }] }],
      rocketchat_room: [{ ...room, name: "ro\0om", topic: "t\0" }],
      rocketchat_custom_emoji: [{ _id: "e", name: "par\0ty", extension: "png" }],
      "custom_emoji.chunks": [{ files_id: "par\0ty.png", n: 0, data: Buffer.from("four") }],
      rocketchat_message: [message("m\0"), message("s", { t: "x\0" })],
    });
    expect(JSON.stringify(dump.records)).not.toContain("\\u0000");
    expect(dump.messages.get("m")?.at).toBe(at.getTime());
    expect(dump.records).toContainEqual(expect.objectContaining({ kind: "person", username: "ann", name: "ann" }));
    const file = expect.objectContaining({ name: "party.png", size: 4 });
    expect(dump.records).toContainEqual(expect.objectContaining({ kind: "emoji", name: "party", file }));
  });

  const document = serialize(message("a"));
  const huge = Buffer.from(document);
  huge.writeInt32LE(16 * 1024 * 1024 + 1, 0);
  const wrong = Buffer.from(document);
  wrong[4] = 0x63;
  const deep = Array.from({ length: 101 }).reduce<object>((inner) => ({ inner }), {});
  test.each([
    ["cut", document.subarray(0, -1), "the file ends too early"],
    ["of an unknown type", wrong, "is not BSON"],
    ["too long", huge, "has more than 16777216 bytes"],
    ["shorter than any", Buffer.from([4, 0, 0, 0]), "is not BSON"],
    ["too deep", serialize(deep), "has more than 100 levels"],
    ["very deep", nested(200_000), "has more than 100 levels"],
  ])("a document that is %s fails the archive, which names file and record", async (_, last, reason) => {
    const bytes = Buffer.concat([document, last]);
    await expect(readDump({ rocketchat_room: [room], "rocketchat_message.bson": bytes })).rejects.toThrow(
      `rocketchat_message.bson, record 2: ${reason}.`,
    );
  });

  test("a dump by --archive is refused, also in a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rocketchat-archive-"));
    const dump = Buffer.from([0x6d, 0xe2, 0x99, 0x81, 0, 0, 0, 0]);
    await writeFile(join(folder, "chat.archive"), dump);
    await expect(openArchive(join(folder, "chat.archive"), options)).rejects.toThrow("--archive");
    const archive = await openArchive(folder, options);
    onTestFinished(() => archive.close());
    await expect(recogniseReader(archive)).rejects.toThrow("--archive");
  });
});

test("an archive that is opened anew has the files without reading its messages", async () => {
  const archive = await openArchive(sampleArchive("rocketchat").path, options);
  onTestFinished(() => archive.close());
  const bytes = await buffer(await archive.open("GridFS:FnmmWoCScGyZZNcPJ"));
  expect(bytes.subarray(0, 4).toString("latin1")).toBe("\x89PNG");
  expect(bytes).toHaveLength(182);
  expect(await buffer(await archive.open("GridFS:party_blob.png"))).toHaveLength(512);
});

test("what is put aside goes with the archive", async () => {
  const temporaryFolder = await mkdtemp(join(tmpdir(), "rocketchat-aside-"));
  const archive = await openArchive(sampleArchive("rocketchat").path, { ...options, temporaryFolder });
  const reader = await recogniseReader(archive);
  if (reader === null) throw new Error("It is not recognised.");
  await summarise(archive, reader.read(archive));
  await archive.close();
  expect(await readdir(temporaryFolder)).toEqual([]);
});

/** A document in a document, and so on: 8 bytes each, 5 for the innermost. */
function nested(levels: number): Buffer {
  const bytes = Buffer.alloc(8 * levels + 5);
  for (let level = 0; level <= levels; level += 1) {
    bytes.writeInt32LE(bytes.length - 8 * level, 7 * level);
    if (level < levels) bytes.set([0x03, 0x61, 0], 7 * level + 4);
  }
  return bytes;
}
