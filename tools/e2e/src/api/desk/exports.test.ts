import { randomUUID } from "node:crypto";
import { buffer, text } from "node:stream/consumers";
import { Channel, errorBody as error, Member, Message, Role, Server } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromBuffer, type ZipFile } from "yauzl";
import { z } from "zod";
import { exportPath, fillChannel, openExport } from "./exports-stage.js";

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

/** The files of an archive by their names. */
async function unzip(archive: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (failure, opened) => (failure ? reject(failure) : resolve(opened)));
  });
  const files = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", () => resolve(files));
    zip.on("entry", (entry) => {
      zip.openReadStream(entry, (failure, stream) => {
        if (failure) return reject(failure);
        text(stream).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}

async function exported(owner: UserClient, serverId: string) {
  const answer = await open(owner, serverId);
  expect(answer.statusCode).toBe(200);
  const files = await unzip(await buffer(answer));
  const json = <Shape extends z.ZodType>(name: string, shape: Shape) => shape.parse(JSON.parse(files.get(name) ?? ""));
  const messages = (channelId: string) =>
    (files.get(`messages/${channelId}.jsonl`) ?? "absent")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => Message.strict().parse(JSON.parse(line)));
  return { answer, files, json, messages };
}

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
    await unzip(await buffer(answer));
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
    const files = await unzip(await buffer(answer));
    const lines = (files.get(`messages/${channel.id}.jsonl`) ?? "").trimEnd().split("\n");
    expect(lines.map((line) => Object(JSON.parse(line)).id)).toEqual(rows.map(({ id }) => id));
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
