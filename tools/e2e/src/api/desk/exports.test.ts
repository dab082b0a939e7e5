import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Channel, errorBody as error, Member, Message, Role, Server } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  postMessage,
  type RestClient,
  runContext,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";
import { createFullServer, exportPath, exportWhole, fillChannel, openExport, readExport } from "./exports-stage.js";

let stack: SharedStack;
let client: RestClient;
let sql: pg.Client;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
});

const open = (owner: UserClient, serverId: string) => openExport(stack.apis[0]?.url ?? "", owner, serverId);

async function exported(owner: UserClient, serverId: string) {
  const answer = await open(owner, serverId);
  expect(answer.statusCode).toBe(200);
  const archive = await readExport(await buffer(answer));
  return { answer, ...archive, messages: messagesOf(archive) };
}

const messagesOf =
  ({ lines }: Awaited<ReturnType<typeof readExport>>) =>
  (channelId: string) =>
    lines(`messages/${channelId}.jsonl`, Message.strict());

describe("an export", () => {
  test("an export has the server, its channels, members, roles and messages as the api shows them to the owner", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 2);
    const [member] = members;
    const role = await createRole(owner, server.id, { name: "Arbiter", permissions: 8192 });
    (await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${role.id}`)).expect(204, z.undefined());
    const quiet = await createChannel(owner, server.id, { name: "quiet", type: "voice" });
    const root = await postMessage(member, channel.id, "e4 \n \u2028 😀");
    const thread = `/channels/${channel.id}/messages/${root.id}/thread`;
    const reply = (await owner.post(thread, { content: "e5" })).expect(201, Message);
    const deletedReply = (await owner.post(thread, { content: "gone" })).expect(201, Message);
    const deleted = await postMessage(owner, channel.id, "gone as well");
    for (const { id } of [deletedReply, deleted]) await owner.delete(`/messages/${id}`);
    const poll = await owner.post(`/channels/${channel.id}/polls`, { question: "Tea?", options: ["yes", "no"] });
    const asked = poll.expect(201, Message);
    await owner.post(`/polls/${asked.poll?.id}/vote`, { option_id: asked.poll?.options[0]?.id });
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const event = (await owner.post(`/channels/${channel.id}/events`, { name: "Blitz", starts_at })).expect(
      201,
      Message,
    );

    const { answer, files, json, messages } = await exported(owner, server.id);
    expect(answer.headers).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="Chess club.zip"',
      "cache-control": "no-store",
    });
    const names = ["server.json", "channels.json", "roles.json", "members.json"];
    expect([...files.keys()]).toEqual([...names, `messages/${channel.id}.jsonl`, `messages/${quiet.id}.jsonl`]);
    const shown = async (target: string) => (await owner.get(target)).body;
    expect(json("server.json", Server.strict())).toEqual(await shown(`/servers/${server.id}`));
    expect(json("channels.json", z.array(Channel.strict()))).toEqual(await shown(`/servers/${server.id}/channels`));
    expect(json("roles.json", z.array(Role.strict()))).toEqual(await shown(`/servers/${server.id}/roles`));
    expect(json("members.json", z.array(Member.strict()))).toEqual(await shown(`/servers/${server.id}/members`));
    expect(messages(quiet.id)).toEqual([]);
    const [first, second, third, fourth, ...rest] = messages(channel.id);
    expect(rest).toEqual([]);
    expect(first).toEqual({ ...root, thread_reply_count: 1 });
    expect([second, fourth]).toEqual([reply, event]);
    expect(third?.poll).toMatchObject({ total_votes: 1, user_vote: null, options: [{ votes: 1 }, { votes: 0 }] });
  });

  test.each([
    ["AC/DC", 'attachment; filename="AC_DC.zip"'],
    ["chess/", 'attachment; filename="chess_.zip"'],
    ["a\\b", 'attachment; filename="a_b.zip"'],
    ["a\nb", 'attachment; filename="a b.zip"'],
    ["/\\", 'attachment; filename="__.zip"'],
    ["Гамбит/2", "attachment; filename=\"??????_2.zip\"; filename*=UTF-8''%D0%93%D0%B0%D0%BC%D0%B1%D0%B8%D1%82_2.zip"],
  ])("the export of the server %s has a filename with all of its name", async (name, disposition) => {
    const owner = await client.register();
    const server = await createServer(owner, { name });
    const answer = await open(owner, server.id);
    expect(answer.headers["content-disposition"]).toBe(disposition);
    await readExport(await buffer(answer));
  });

  test("an export has every message of a long channel once, in the order of history, and none that is sent meanwhile", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const other = await createChannel(owner, server.id, { name: "other" });
    await fillChannel(sql, channel.id, server.id, { count: 2_001, authorId: owner.user.id });
    // Replies in threads have their own place in the index.
    await sql.query(
      `INSERT INTO messages (channel_id, server_id, author_id, content, thread_id)
        SELECT channel_id, server_id, author_id, 'reply', id FROM messages WHERE channel_id = $1 ORDER BY id LIMIT 500`,
      [channel.id],
    );
    const { rows } = await sql.query<{ id: string }>("SELECT id FROM messages WHERE channel_id = $1 ORDER BY id", [
      channel.id,
    ]);
    const answer = await open(owner, server.id);
    const late = await postMessage(owner, other.id, "late");
    const { files, lines } = await readExport(await buffer(answer));
    const ids = lines(`messages/${channel.id}.jsonl`, z.object({ id: z.string() })).map(({ id }) => id);
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(files.get(`messages/${other.id}.jsonl`)).toBe("");
    expect((await exported(owner, server.id)).messages(other.id)).toEqual([late]);
  });

  test("an export has every member of a large server once", async () => {
    const { owner, server } = await createServerWithMembers(client, 0);
    await sql.query(
      `WITH crowd AS (INSERT INTO users (username) SELECT 'exported_' || n FROM generate_series(1, 401) AS n RETURNING id)
        INSERT INTO members (server_id, user_id) SELECT $1, id FROM crowd`,
      [server.id],
    );
    const members = (await exported(owner, server.id)).json("members.json", z.array(Member.strict()));
    expect(members).toEqual((await owner.get(`/servers/${server.id}/members`)).body);
    expect(members).toHaveLength(402);
  });

  test("an export is the owner's: everybody else finds no server", async () => {
    const { owner, server, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    const role = await createRole(owner, server.id, { permissions: 8192 });
    await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${role.id}`);
    for (const [user, serverId] of [
      [member, server.id],
      [await client.register(), server.id],
      [owner, randomUUID()],
    ] as const) {
      const answer = await user.get(exportPath(serverId));
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
    const malformed = await owner.get(exportPath("x"));
    expect([malformed.status, malformed.body]).toEqual([400, error("Invalid identifier")]);
    const nobody = await client.get(exportPath(server.id));
    expect([nobody.status, nobody.body]).toEqual([401, error("Invalid or expired token")]);
    const head = await owner.send("HEAD", exportPath(server.id));
    expect([head.status, head.headers.get("content-type"), head.body]).toEqual([200, "application/zip", undefined]);
  });
});

describe("a whole export", () => {
  const readWhole = async (owner: UserClient, serverId: string) =>
    readExport(await exportWhole(stack.apis[0]?.url ?? "", owner, serverId));

  test("a whole export has rights, overrides, emoji, bans, invites, rules, and messages with all that hangs on them", async () => {
    const full = await createFullServer(client, stack.databaseUrl);
    const { owner, server, channel, hidden, role, emoji, invite, root, reply, asked, attached, ann, bob, eve } = full;
    const { files, bytes, json, lines } = await readWhole(owner, server.id);
    expect(json("channels.json", z.array(Channel.strict()))).toEqual(
      (await owner.get(`/servers/${server.id}/channels`)).body,
    );
    expect(json("categories.json", z.unknown())).toEqual([{ name: "Halls", position: 0 }]);
    const everyone = (await owner.get(`/servers/${server.id}/roles/${server.id}`)).body;
    expect(json("roles.json", z.unknown())).toEqual([{ ...role, rights: ["view_audit_log"] }, everyone]);
    expect(json("overrides.json", z.unknown())).toEqual((await owner.get(`/channels/${hidden.id}/overrides`)).body);
    expect(json("emoji.json", z.unknown())).toEqual([{ ...emoji, path: `emoji/${emoji.id}.png` }]);
    expect(bytes.get(`emoji/${emoji.id}.png`)).toEqual(Buffer.from(pngPixel));
    expect(json("invites.json", z.unknown())).toEqual([invite]);
    expect(json("automod-rules.json", z.unknown())).toEqual(
      (await owner.get(`/servers/${server.id}/automod/rules`)).body,
    );
    expect(lines("bans.jsonl", z.unknown())).toEqual([
      expect.objectContaining({ user_id: eve.user.id, banned_by: owner.user.id, reason: "spam,\ntwice" }),
    ]);

    const messages = lines(`messages/${channel.id}.jsonl`, z.looseObject({ id: z.string() }));
    const byId = new Map(messages.map((message) => [message.id, message]));
    const both = [bob.user.id, ann.user.id];
    expect(byId.get(root.id)).toMatchObject({
      content: `@${bob.user.username} see`,
      edited_at: expect.any(String),
      pinned: true,
      pinned_by: owner.user.id,
      mention_user_ids: [bob.user.id],
      reactions: [
        { emoji: "👍", people: both },
        { emoji: `c:${emoji.id}`, people: both },
      ],
      attachments: [],
    });
    expect(byId.get(reply.id)).toMatchObject({ thread_id: root.id, content: "a reply" });
    const options = [
      { text: "yes", voters: [] },
      { text: "no", votes: 1, voters: [eve.user.id] },
    ];
    expect(byId.get(asked.id)?.poll).toMatchObject({ question: "Tea?", options, total_votes: 1 });
    const [file] = attached.attachments ?? [];
    const path = `files/${file?.id}/_bung_1.txt`;
    expect(byId.get(attached.id)?.attachments).toEqual([
      {
        id: file?.id,
        filename: "Übung 1.txt",
        file_size: 14,
        mime_type: "text/plain",
        width: null,
        height: null,
        path,
      },
    ]);
    expect(files.get(path)).toBe("one of a kind\n");
    const people = lines("people.jsonl", z.looseObject({ id: z.string(), name: z.string() }));
    expect(people.map(({ id }) => id)).toEqual([owner, ann, bob, eve].map(({ user }) => user.id).sort());
    expect(people.find(({ id }) => id === eve.user.id)).toMatchObject({ username: eve.user.username, is_bot: false });
  });

  test("the manifest of a whole export names each part with its bytes and their SHA-256, and counts what is in them", async () => {
    const { owner, server } = await createFullServer(client, stack.databaseUrl);
    const { bytes, json } = await readWhole(owner, server.id);
    const manifest = json("manifest.json", z.looseObject({ parts: z.array(z.unknown()) }));
    const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
    const parts = [...bytes]
      .filter(([name]) => name !== "manifest.json")
      .map(([name, content]) => ({ name, bytes: content.length, sha256: sha256(content) }));
    expect(manifest).toEqual({
      format: "parley",
      version: 1,
      exported_at: expect.any(String),
      counts: {
        channels: 2,
        roles: 1,
        emoji: 1,
        bans: 1,
        invites: 1,
        automod_rules: 1,
        people: 4,
        messages: 5,
        reactions: 4,
        files: 1,
      },
      parts,
    });
  });

  test("an operator exports a server by its id or its name, where one alone has it", async () => {
    const owner = await client.register();
    const name = `Club ${randomUUID()}`;
    const server = await createServer(owner, { name });
    for (const asked of [server.id, name]) {
      const { code, archive } = await operate(asked);
      expect(code).toBe(0);
      expect((await readExport(archive)).json("server.json", Server)).toMatchObject({ id: server.id, name });
    }
    const another = await createServer(owner, { name });
    expect(await operate(name)).toMatchObject({ code: 1, said: expect.stringContaining(another.id) });
    expect(await operate(randomUUID())).toMatchObject({ code: 1, said: expect.stringContaining("There is no server") });
    expect(await operate("No such club")).toMatchObject({ code: 1, said: "There is no server No such club.\n" });
    expect(await operate()).toMatchObject({ code: 2, said: expect.stringContaining("usage: ") });
  });

  /** What `deploy/parley export` runs in the container of an api. */
  function operate(...args: string[]): Promise<{ code: number; archive: Buffer; said: string }> {
    const program = join(runContext().root, "services", "api", "dist", "export-main.js");
    const settings = { DATABASE_URL: stack.databaseUrl, UPLOAD_DIR: stack.uploadDir, JWT_SECRET: "x".repeat(32) };
    const env = { PATH: process.env.PATH, ...settings };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env, encoding: "buffer" }, (failure, archive, said) =>
        resolve({ code: failure === null ? 0 : Number(failure.code), archive, said: said.toString() }),
      );
    });
  }
});
