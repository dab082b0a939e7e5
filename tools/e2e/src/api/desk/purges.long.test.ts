import { errorBody as error, Member, Message, permissionBits, SearchPage } from "@parley/contracts";
import { createChannel, createClient, createRole, postMessage, waitUntil } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { attachOne, filesBelow, startUploadStage, type UploadStage } from "../stages/upload-stage.js";

let stage: UploadStage;
let sql: pg.Client;

beforeAll(async () => {
  stage = await startUploadStage({ apis: 2 });
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await stage?.stop();
});

const count = async (from: string, ...values: string[]) => {
  const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from}`, values);
  return rows[0]?.count ?? -1;
};

/** Enough messages for many batches, among them threads, answers, reactions and deleted ones. */
async function fill(channelId: string, serverId: string, authorId: string) {
  await sql.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, 'gambit ' || n FROM generate_series(1, 20000) AS n`,
    [channelId, serverId, authorId],
  );
  await sql.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content, reply_to, thread_id)
      SELECT $1, $2, $3, 'answer', CASE WHEN thread THEN NULL ELSE id END, CASE WHEN thread THEN id END
      FROM (SELECT id FROM messages WHERE channel_id = $1 ORDER BY id LIMIT 1000) AS roots,
        unnest(ARRAY[true, false]) AS thread ORDER BY id`,
    [channelId, serverId, authorId],
  );
  await sql.query("INSERT INTO reactions SELECT id, '👍', author_id FROM messages WHERE channel_id = $1", [channelId]);
  await sql.query(
    "UPDATE messages SET deleted = true WHERE id IN (SELECT id FROM messages WHERE channel_id = $1 ORDER BY id LIMIT 500)",
    [channelId],
  );
}

const emptied = async (channelId: string) =>
  (await count("messages WHERE channel_id = $1", channelId)) === 0 &&
  (await count("orphans WHERE parent_id = $1", channelId)) === 0;

describe("a channel with very many messages", () => {
  let channelId: string;
  beforeEach(async () => {
    channelId = (await createChannel(stage.owner, stage.server.id)).id;
    await fill(channelId, stage.server.id, stage.owner.user.id);
  });

  test("a channel with very many messages is gone everywhere at once, its rows and files soon after", async () => {
    const { owner, client, server, channel, uploadDir } = stage;
    const files = await filesBelow(uploadDir);
    const attached = await attachOne(owner, channelId, { name: "a.txt", bytes: Buffer.from("a") });
    const kept = await attachOne(owner, channel.id, { name: "kept.txt", bytes: Buffer.from("kept") });
    await postMessage(owner, channel.id, "gambit kept");
    expect((await owner.delete(`/channels/${channelId}`)).status).toBe(204);
    const search = await owner.get(`/servers/${server.id}/search?q=gambit`);
    expect(search.expect(200, SearchPage).total).toBe(1);
    expect((await fetch(`${client.baseUrl}${attached.url}`)).status).toBe(404);
    const path = attached.url.split("?")[0];
    for (const [method, target, text] of [
      ["GET", `/channels/${channelId}/messages`, "Channel not found"],
      ["POST", `/channels/${channelId}/messages`, "Channel not found"],
      ["GET", `/messages/${attached.message_id}/attachments`, "Message not found"],
      ["PATCH", `/messages/${attached.message_id}`, "Message not found"],
      ["DELETE", `/messages/${attached.message_id}`, "Message not found"],
      ["GET", path ?? "", "Attachment not found"],
    ] as const) {
      const answer = await owner.send(method, target, method === "GET" ? {} : { body: { content: "x" } });
      expect([target, answer.status, answer.body]).toEqual([target, 404, error(text)]);
    }
    await waitUntil(() => emptied(channelId), { timeoutMs: 60_000 });
    expect(await count("reactions JOIN messages m ON m.id = message_id WHERE m.channel_id = $1", channelId)).toBe(0);
    await waitUntil(async () => (await filesBelow(uploadDir)).length === files.length + 1);
    expect(await (await fetch(`${client.baseUrl}${kept.url}`)).text()).toBe("kept");
  });

  test("a channel with very many messages is emptied by a living process when the one that began is killed", async () => {
    const [first, second] = stage.stack.apis;
    await second?.stop();
    const alone = createClient(first?.url ?? "", { authorization: `Bearer ${stage.owner.accessToken}` });
    expect((await alone.delete(`/channels/${channelId}`)).status).toBe(204);
    const before = await count("messages WHERE channel_id = $1", channelId);
    await waitUntil(async () => (await count("messages WHERE channel_id = $1", channelId)) < before);
    await first?.kill();
    expect(await count("messages WHERE channel_id = $1", channelId)).toBeGreaterThan(0);
    expect(await count("orphans WHERE table_name = 'messages' AND parent_id = $1", channelId)).toBe(1);
    await second?.restart();
    await waitUntil(() => emptied(channelId), { timeoutMs: 60_000 });
    await first?.restart();
  });

  test("a channel with very many messages takes no message that is sent while it is deleted, and keeps none", async () => {
    const senders = stage.stack.apis.map(({ url }) =>
      createClient(url, { authorization: `Bearer ${stage.owner.accessToken}` }),
    );
    const answers = Array.from({ length: 60 }, async (_, index) => {
      const sender = senders[index % senders.length] ?? stage.owner;
      if (index === 30) return sender.delete(`/channels/${channelId}`);
      return sender.post(`/channels/${channelId}/messages`, { content: `race ${index}` });
    });
    const elsewhere = await postMessage(stage.owner, stage.channel.id, "elsewhere");
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    for (const [index, status] of statuses.entries()) expect(index === 30 ? [204] : [201, 404]).toContain(status);
    await waitUntil(() => emptied(channelId), { timeoutMs: 60_000 });
    const left = await stage.owner.get(`/channels/${stage.channel.id}/messages/${elsewhere.id}`);
    expect(left.expect(200, Message).content).toBe("elsewhere");
  });
});

test("a server with very many messages is deleted, and then emptied", async () => {
  const { client } = stage;
  const owner = await client.register();
  const { id } = Object((await owner.post("/servers", { name: "s", is_public: true })).body);
  const channels = [await createChannel(owner, id), await createChannel(owner, id)];
  for (const channel of channels) await fill(channel.id, id, owner.user.id);
  expect((await owner.delete(`/servers/${id}`)).status).toBe(204);
  expect((await owner.get(`/servers/${id}`)).body).toEqual(error("Server not found"));
  expect((await owner.get(`/channels/${channels[0]?.id}`)).body).toEqual(error("Channel not found"));
  for (const channel of channels) await waitUntil(() => emptied(channel.id), { timeoutMs: 60_000 });
});

describe("a role with very many holders", () => {
  test("a role with very many holders is gone everywhere at once, its assignments soon after", async () => {
    const { owner, server, members } = stage;
    const [holder] = members;
    const role = await createRole(owner, server.id, { permissions: permissionBits.MANAGE_CHANNELS });
    const kept = await createRole(owner, server.id);
    await sql.query("INSERT INTO users (username) SELECT 'holder_' || n FROM generate_series(1, 5000) AS n");
    await sql.query("INSERT INTO members (server_id, user_id) SELECT $1, id FROM users WHERE username ~ '^holder_'", [
      server.id,
    ]);
    await sql.query(
      `INSERT INTO member_roles (server_id, user_id, role_id)
        SELECT server_id, user_id, unnest($2::uuid[]) FROM members WHERE server_id = $1`,
      [server.id, [role.id, kept.id]],
    );
    const all = await count("member_roles WHERE role_id = $1", kept.id);
    const page = `/servers/${server.id}/members?role_id=${role.id}`;
    expect((await owner.get(page)).expect(200, z.array(Member))).toHaveLength(100);
    await createChannel(holder, server.id);

    expect((await owner.delete(`/servers/${server.id}/roles/${role.id}`)).status).toBe(204);
    expect((await owner.get(page)).body).toEqual([]);
    expect((await owner.get(`${page}&q=holder`)).body).toEqual([]);
    const member = (await owner.get(`/servers/${server.id}/members/${holder.user.id}`)).expect(200, Member);
    expect(member.roles.map(({ id }) => id)).toEqual([kept.id]);
    expect((await holder.post(`/servers/${server.id}/channels`, { name: "late" })).status).toBe(403);
    await waitUntil(
      async () =>
        (await count("member_roles WHERE role_id = $1", role.id)) === 0 &&
        (await count("orphans WHERE parent_id = $1", role.id)) === 0,
      { timeoutMs: 60_000 },
    );
    expect(await count("member_roles WHERE role_id = $1", kept.id)).toBe(all);
  });
});
