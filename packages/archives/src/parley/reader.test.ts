import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { summarise } from "@parley/testing/archives";
import { describe, expect, onTestFinished, test } from "vitest";
import { openArchive } from "../open/open-archive.js";
import { recogniseReader } from "../readers.js";
import { readRecords } from "../records.js";

describe("a whole export", () => {
  const id = (n: number) => `018cc93e-8728-7d5c-b4f4-8000000000${String(n).padStart(2, "0")}`;
  const time = "2024-01-09T06:57:33.755Z";
  const [server, channel, hidden, role, ann, bob, emoji] = [1, 2, 3, 4, 5, 6, 7].map(id) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const message = (n: number, more: object = {}) => ({
    id: id(n),
    author_id: ann,
    content: `message ${n}`,
    reply_to: null,
    thread_id: null,
    edited_at: null,
    created_at: time,
    ...more,
  });
  const people = (["Ann-x", "Bob"] as const).map((username, at) => ({
    id: [ann, bob][at],
    username,
    name: `${username} A.`,
    is_bot: false,
    created_at: time,
  }));
  const parts = (): Record<string, unknown> => ({
    "server.json": { id: server, name: "Club" },
    "channels.json": [
      { id: channel, name: "a", type: "text", category: "Halls", topic: null, slow_mode_seconds: 5, created_at: time },
      { id: hidden, name: "b", type: "text", category: null, topic: null, created_at: time },
    ],
    "roles.json": [
      { id: role, name: "R", permissions: 4, color: "#112233", position: 1, rights: ["view_audit_log"] },
      { id: server, name: "everyone", permissions: 123, color: "#95a5a6", position: 0, rights: ["use_apps"] },
    ],
    "members.json": [{ user_id: ann, username: "Ann-x", nickname: "Ann-x A.", roles: [{ id: role }], joined_at: time }],
    "categories.json": [{ name: "Empty" }, { name: "Halls" }],
    "overrides.json": [
      { channel_id: hidden, role_id: server, user_id: null, allow: 0, deny: 1 },
      { channel_id: hidden, role_id: null, user_id: bob, allow: 1, deny: 0 },
    ],
    "emoji.json": [{ id: emoji, name: "rook", path: `emoji/${emoji}.png` }],
    "invites.json": [
      { id: id(20), code: "abcdefgh", created_by: ann, uses: 1, max_uses: 3, created_at: time, expires_at: null },
    ],
    "automod-rules.json": [
      {
        id: id(21),
        server_id: server,
        name: "No shouting",
        enabled: true,
        trigger: { type: "caps" },
        actions: [{ type: "flag" }],
        exempt_role_ids: [role],
        exempt_channel_ids: [],
        created_by: id(22),
        created_at: time,
        updated_at: time,
      },
    ],
    "bans.jsonl": [{ user_id: bob, banned_by: ann, reason: "spam", created_at: time, expires_at: null }],
    [`messages/${channel}.jsonl`]: [
      message(10, { deleted: true, content: "", thread: { title: "Rooks", closed: true } }),
      message(11, { thread_id: id(10), content: "@Ann-x and :rook:", mention_user_ids: [ann] }),
      message(12, {
        reactions: [
          { emoji: `c:${emoji}`, people: [bob, ann] },
          { emoji: "👍", people: [ann] },
          { emoji: `c:${id(99)}`, people: [ann, bob] },
        ],
        poll: { question: "Q", options: [{ text: "yes", votes: 1, voters: [bob] }] },
        attachments: [
          { filename: "a b.txt", file_size: 3, path: "files/1/a_b.txt" },
          { filename: "lost.txt", file_size: 3, path: "files/2/lost.txt" },
        ],
      }),
    ],
    [`messages/${hidden}.jsonl`]: [],
    "people.jsonl": people,
    [`emoji/${emoji}.png`]: "png",
    "files/1/a_b.txt": "abc",
    "files/2/lost.txt": "",
  });
  const bytesOf = (name: string, value: unknown) => {
    if (typeof value === "string") return value;
    if (!name.endsWith(".jsonl")) return JSON.stringify(value);
    return (value as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join("");
  };

  async function read(files: Record<string, unknown>, manifest: object = { version: 1 }) {
    const folder = await mkdtemp(join(tmpdir(), "parley-export-"));
    const sums = Object.entries(files).map(([name, value]) => {
      const sha256 = createHash("sha256").update(bytesOf(name, value)).digest("hex");
      return { name, bytes: 0, sha256 };
    });
    const all = { parts: sums, ...manifest };
    for (const [name, value] of Object.entries({ ...files, "manifest.json": { format: "parley", ...all } })) {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), bytesOf(name, value));
    }
    const archive = await openArchive(folder, { maxBytes: 1_000_000, temporaryFolder: tmpdir() });
    onTestFinished(() => archive.close());
    const reader = await recogniseReader(archive);
    if (reader?.source !== "parley") throw new Error("It is not recognised.");
    return summarise(archive, readRecords(reader, archive));
  }

  test("an embed of wrong values spoils its message, and no other", async () => {
    const wrong = [{ title: 5 }, { description: {} }, { fields: [null] }, { author: { name: [] } }, { footer: 5 }, 5];
    const messages = [...wrong.map((embed, at) => message(30 + at, { embeds: [embed] })), message(40)];
    const { messages: found, figures } = await read({ ...parts(), [`messages/${channel}.jsonl`]: messages });
    expect([...found.keys()]).toEqual([id(40)]);
    expect(figures.skipped).toEqual([{ kind: "unknown_record", reason: "a value cannot be read", count: 6 }]);
  });

  test("a wrong setting of the server is counted, and the server comes with the others", async () => {
    const server = {
      ...(parts()["server.json"] as object),
      is_public: "yes",
      tags: [1],
      created_at: 7,
      language: "de",
    };
    const { records: all } = await read({ ...parts(), "server.json": server });
    const settings = { isPublic: false, createdAt: null, face: { language: "de" } };
    expect(all.filter(({ kind }) => kind === "server")).toMatchObject([{ name: "Club", settings }]);
    const example = ["is_public", "tags", "created_at"].map((name) => `server.json, record 1: ${name}`);
    expect(all.flatMap((record) => (record.kind === "skipped" ? record.example : [])).slice(0, 3)).toEqual(example);
  });

  test("numbers over their bounds spoil their records, and messages of such a channel come to be counted", async () => {
    const channels = (parts()["channels.json"] as object[]).map((each) => ({ ...each, slow_mode_seconds: 21_601 }));
    const [invite] = parts()["invites.json"] as object[];
    const many = { ...invite, id: id(23), max_uses: 3_000_000_000 };
    const found = await read({ ...parts(), "channels.json": channels, "invites.json": [many] });
    const { records: all, messages, figures } = found;
    expect(all.filter(({ kind }) => kind === "channel" || kind === "invite")).toEqual([]);
    expect([...messages.values()].map(({ channel: where }) => where)).toEqual([channel, channel, channel]);
    expect(figures.skipped).toContainEqual(expect.objectContaining({ kind: "unknown_record", count: 3 }));
  });

  test("rights, overrides, categories, slow mode, emoji, bans, invites and rules come along", async () => {
    const { records: all } = await read(parts());
    const ofKind = (kind: string) => all.filter((record) => record.kind === kind);
    expect(ofKind("category")).toMatchObject([{ name: "Empty" }, { name: "Halls", position: 1 }]);
    expect(ofKind("channel")).toMatchObject([
      { id: channel, category: "Halls", private: false, slowMode: 5 },
      { id: hidden, category: null, private: true },
    ]);
    expect(ofKind("role")).toMatchObject([
      { id: server, permissions: "123", rights: ["use_apps"], everyone: true },
      { id: role, permissions: "4", rights: ["view_audit_log"] },
    ]);
    expect(ofKind("override")).toEqual([
      { kind: "override", channel: hidden, target: { role: server }, allow: "0", deny: "1" },
      { kind: "override", channel: hidden, target: { person: bob }, allow: "1", deny: "0" },
    ]);
    expect(ofKind("emoji")).toMatchObject([{ id: emoji, name: "rook", file: { entry: `emoji/${emoji}.png` } }]);
    const at = Date.parse(time);
    expect(ofKind("ban")).toEqual([
      { kind: "ban", server, person: bob, by: ann, reason: "spam", createdAt: at, expiresAt: null },
    ]);
    expect(ofKind("invite")).toMatchObject([{ code: "abcdefgh", by: ann, uses: 1, maxUses: 3, createdAt: at }]);
    expect(ofKind("automod_rule")).toMatchObject([
      { rule: { name: "No shouting", enabled: true }, exemptRoles: [role], by: id(22), updatedAt: at },
    ]);
    expect(ofKind("person")).toContainEqual(expect.objectContaining({ id: id(22), deleted: true }));
  });

  test("people keep name and roles, also who is no member", async () => {
    const { records: all } = await read(parts());
    const last = new Map(all.flatMap((record) => (record.kind === "person" ? [[record.id, record] as const] : [])));
    expect(last.get(ann)).toMatchObject({ username: "Ann-x", isOwnName: true, roles: [role], deleted: false });
    expect(last.get(bob)).toMatchObject({ username: "Bob", roles: [], createdAt: Date.parse(time) });
  });

  test("messages keep reactions, votes and files, and a deleted root its replies", async () => {
    const { messages, records: all } = await read(parts());
    expect(messages.get(id(10))).toMatchObject({
      deleted: true,
      author: null,
      text: [],
      threadTitle: "Rooks",
      threadClosed: true,
    });
    expect(messages.get(id(11))).toMatchObject({ thread: id(10), text: [{ person: ann }, " and ", { emoji }] });
    expect(messages.get(id(12))).toMatchObject({
      reactions: [
        { emoji: { own: emoji }, people: [bob, ann] },
        { emoji: { unicode: "👍" }, people: [ann] },
      ],
      poll: { options: [{ text: "yes", voters: [bob] }], namelessVotes: 0 },
      files: [
        { entry: "files/1/a_b.txt", name: "a b.txt", size: 3 },
        { entry: null, name: "lost.txt", size: 0 },
      ],
    });
    expect(all).toContainEqual(expect.objectContaining({ thing: "reaction", reason: "unknown emoji", count: 2 }));
  });

  test("a part that is another than the manifest names fails the archive", async () => {
    const files = parts();
    const other = [message(10)];
    const sum = { name: `messages/${channel}.jsonl`, bytes: 1, sha256: createHash("sha256").update("x").digest("hex") };
    files[`messages/${channel}.jsonl`] = other;
    await expect(read(files, { version: 1, parts: [sum] })).rejects.toThrow(
      `messages/${channel}.jsonl: the file is another one than the manifest names.`,
    );
  });

  test("another version of the format is refused", async () => {
    await expect(read(parts(), { version: 2 })).rejects.toThrow("manifest.json: version 2 of the format is not known.");
  });

  test("a record with a wrong value is counted, and the others come", async () => {
    const files = parts();
    files[`messages/${channel}.jsonl`] = [{ id: "x" }, message(12)];
    const { messages, records: all } = await read(files);
    expect([...messages.keys()]).toEqual([id(12)]);
    const example = `messages/${channel}.jsonl, record 1`;
    expect(all).toContainEqual(expect.objectContaining({ thing: "unknown_record", example }));
  });
});
