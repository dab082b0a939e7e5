import { randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { AuditLogEntry, errorBody as error, Message, Retention, SearchPage, Server } from "@parley/contracts";
import {
  createChannel,
  createServerWithMembers,
  listMessages,
  postMessage,
  type RestClient,
  sharedStack,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { keepFor, retentionPath } from "../stages/retention-stage.js";
import { attachOne, createUploadStage, type SharedUploadStage, watchFiles } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
let client: RestClient;
let sql: pg.Client;

beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
  ({ client } = stage);
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
});

async function idOf(query: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(query, [...values]);
  const [row] = rows;
  if (row === undefined) throw new Error("Nothing was found.");
  return row.id;
}
async function count(from: string, ...values: readonly unknown[]): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from}`, [...values]);
  return rows[0]?.count ?? -1;
}

/** Makes a message older than it is, with everything that hangs on it, its files too. @returns its new id */
async function age(messageId: string, days: number): Promise<string> {
  const id = await idOf(
    "UPDATE messages SET id = uuidv7(make_interval(days => -$2::integer)) WHERE id = $1 RETURNING id",
    [messageId, days],
  );
  const folder = (name: string) => join(stage.uploadDir, "attachments", name);
  await rename(folder(messageId), folder(id)).catch(() => undefined);
  return id;
}

/** Adds old messages to a channel. */
async function fill(channelId: string, serverId: string, { messages, days }: { messages: number; days: number }) {
  await sql.query(
    `INSERT INTO messages (id, channel_id, server_id, content)
      SELECT uuidv7(make_interval(days => -$4::integer)), $1, $2, 'old ' || n FROM generate_series(1, $3::integer) AS n`,
    [channelId, serverId, messages, days],
  );
}
const stored = (channelId: string) => count("messages WHERE channel_id = $1", channelId);

describe("how long a server keeps messages", () => {
  test("how long a server keeps messages is for good unless its owner says otherwise, is read by members, and stands in the audit log", async () => {
    const { owner, server, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    const bare = { retention_days: null, instance_retention_days: null };
    expect((await member?.get(retentionPath(server.id)))?.expect(200, Retention.strict())).toEqual(bare);
    for (const days of [1, 3650, 30, null]) {
      expect(await keepFor(owner, server.id, days)).toEqual({ ...bare, retention_days: days });
      expect((await member?.get(retentionPath(server.id)))?.body).toEqual({ ...bare, retention_days: days });
    }
    const log = await owner.get(`/servers/${server.id}/audit-logs?action=server_retention_update`);
    const entries = log.expect(200, z.array(AuditLogEntry.strict()));
    expect(entries.map(({ details }) => details.retention_days)).toEqual([null, 30, 3650, 1]);
    expect((await owner.get(`/servers/${server.id}`)).expect(200, Server.strict())).toEqual({
      ...server,
      member_count: 2,
    });
  });

  test.each([[0], [3651], [-1], [1.5], ["30"], [true], [undefined]])(
    "how long a server keeps messages is refused as %j",
    async (retention_days) => {
      const { owner, server } = await createServerWithMembers(client, 0);
      const answer = await owner.put(retentionPath(server.id), { retention_days });
      expect([answer.status, answer.body]).toEqual([400, error("retention_days must be null or 1-3650")]);
    },
  );

  test("how long a server keeps messages is the owner's to say", async () => {
    const { owner, server, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    const stranger = await client.register();
    const missing = [404, error("Server not found")];
    for (const [user, serverId, expected] of [
      [member, server.id, [403, error("Only the server owner can update it")]],
      [stranger, server.id, missing],
      [owner, randomUUID(), missing],
    ] as const) {
      const answer = await user?.put(retentionPath(serverId), { retention_days: 1 });
      expect([answer?.status, answer?.body]).toEqual(expected);
    }
    const read = await stranger.get(retentionPath(server.id));
    expect([read.status, read.body]).toEqual(missing);
    for (const method of ["GET", "PUT"]) {
      const nobody = await client.send(method, retentionPath(server.id));
      expect([nobody.status, nobody.body]).toEqual([401, error("Invalid or expired token")]);
    }
  });
});

describe("messages that have outlived their days", () => {
  test("messages that have outlived their days are gone with their files and whatever hangs on them, and younger ones stay", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const uploaded = await watchFiles(stage.uploadDir);
    const old = await attachOne(owner, channel.id, { name: "old.txt", bytes: Buffer.from("old") });
    const young = await attachOne(owner, channel.id, { name: "young.txt", bytes: Buffer.from("young") });
    const reactions = `/channels/${channel.id}/messages/${old.message_id}/reactions/${encodeURIComponent("👍")}`;
    expect((await owner.put(reactions)).status).toBe(204);
    const poll = await owner.post(`/channels/${channel.id}/polls`, { question: "gambit?", options: ["a", "b"] });
    const asked = poll.expect(201, Message);
    const deleted = await postMessage(owner, channel.id, "gambit, deleted");
    await owner.delete(`/messages/${deleted.id}`);
    const answered = await postMessage(owner, channel.id, "gambit");
    const reply = await owner.post(`/channels/${channel.id}/messages`, { content: "yes", reply_to: answered.id });
    const answer = reply.expect(201, Message);
    const ids: string[] = [];
    for (const id of [old.message_id, asked.id, deleted.id, answered.id]) ids.push(await age(id, 31));
    const kept = await age((await postMessage(owner, channel.id, "of yesterday")).id, 29);

    expect(await keepFor(owner, server.id, 30)).toMatchObject({ retention_days: 30 });
    await waitUntil(async () => (await count("messages WHERE id = ANY ($1::uuid[])", ids)) === 0);
    await waitUntil(async () => (await uploaded()).length === 1);
    expect((await listMessages(owner, channel.id)).map(({ id }) => id)).toEqual([answer.id, young.message_id, kept]);
    expect((await listMessages(owner, channel.id))[0]?.reply_to).toBeNull();
    expect((await owner.get(`/polls/${asked.poll?.id}`)).status).toBe(404);
    const search = await owner.get(`/servers/${server.id}/search?q=gambit`);
    expect(search.expect(200, SearchPage).total).toBe(0);
    expect(await (await fetch(`${client.baseUrl}${young.url}`)).text()).toBe("young");
    await waitUntil(async () => (await count("expirations WHERE channel_id = $1", channel.id)) === 0);
  });

  test("keep a thread with younger replies until these go, as a deleted message", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const fresh = await postMessage(owner, channel.id, "secret gambit");
    const thread = (id: string) => `/channels/${channel.id}/messages/${id}/thread`;
    const replies = [];
    for (const content of ["first", "second"]) {
      replies.push((await owner.post(thread(fresh.id), { content })).expect(201, Message).id);
    }
    const [first = "", second = ""] = replies;
    const root = await age(fresh.id, 40);
    const oldReply = await age(first, 35);
    const youngReply = await age(second, 10);
    await keepFor(owner, server.id, 30);
    await waitUntil(async () => (await count("messages WHERE id = $1 AND NOT deleted", root)) === 0);
    await waitUntil(async () => (await count("messages WHERE id = $1", oldReply)) === 0);
    const emptied = await owner.get(`/channels/${channel.id}/messages/${root}`);
    expect(emptied.expect(200, Message)).toMatchObject({ deleted: true, content: "", author_id: null });
    const kept = await owner.get(`/channels/${channel.id}/messages/${youngReply}`);
    expect(kept.expect(200, Message)).toMatchObject({ deleted: false, content: "second", thread_id: root });
    expect(await listMessages(owner, channel.id)).toEqual([]);
    expect(await count("messages WHERE id = $1 AND content LIKE '%gambit%'", root)).toBe(0);
    await keepFor(owner, server.id, 5);
    await waitUntil(async () => (await stored(channel.id)) === 0);
  });

  test("go in small steps beside those who send, and nobody waits for anybody's lock", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    await fill(channel.id, server.id, { messages: 3_000, days: 60 });
    const held = await idOf("SELECT id FROM messages WHERE channel_id = $1 ORDER BY id LIMIT 1", [channel.id]);
    const holder = new pg.Client({ connectionString: stage.stack.databaseUrl });
    await holder.connect();
    try {
      // Locks the message as an answer to it does.
      await holder.query("BEGIN");
      await holder.query("SELECT FROM messages WHERE id = $1 FOR KEY SHARE", [held]);
      await keepFor(owner, server.id, 7);
      const sent = [];
      for (let n = 0; n < 20; n += 1) sent.push((await postMessage(owner, channel.id, `beside ${n}`)).id);
      await waitUntil(async () => (await stored(channel.id)) === sent.length + 1);
      await holder.query("COMMIT");
      await keepFor(owner, server.id, 7);
      await waitUntil(async () => (await stored(channel.id)) === sent.length);
      expect((await listMessages(owner, channel.id)).map(({ id }) => id)).toEqual(sent.toReversed());
    } finally {
      await holder.end();
    }
  });

  test("messages that have outlived their days are not removed any more once their owner got the answer that they stay", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const { message_id } = await attachOne(owner, channel.id, { name: "old.txt", bytes: Buffer.from("old") });
    const old = await age(message_id, 60);
    const holder = new pg.Client({ connectionString: stage.stack.databaseUrl });
    await holder.connect();
    const waiting = (statement: string) => waitingForLocks(holder, { statement });
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM attachments WHERE message_id = $1 FOR UPDATE", [old]);
      await keepFor(owner, server.id, 30);
      await waitUntil(async () => (await waiting("DELETE FROM attachments")) > 0, { what: "the removal to begin" });
      let isAnswered = false;
      const kept = keepFor(owner, server.id, null).finally(() => {
        isAnswered = true;
      });
      await waitUntil(async () => isAnswered || (await waiting("expirations")) > 0, {
        what: "the answer, or its wait",
      });
      expect(isAnswered).toBe(false);
      await holder.query("COMMIT");
      await kept;
      expect(await stored(channel.id)).toBe(0);
    } finally {
      await holder.end();
    }
  });

  test("take their copies in the logs of auto-moderation and webhooks along", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const hook = { name: "hook", url: "https://example.org", event_types: ["message.created"] };
    await owner.post(`/servers/${server.id}/webhooks`, hook);
    for (const days of [31, 29]) {
      await sql.query(
        `INSERT INTO automod_logs (server_id, channel_id, username, rule_type, action_taken, message_content, created_at)
          VALUES ($1, $2, 'bob', 'spam', 'delete', 'x', now() - make_interval(days => $3::integer))`,
        [server.id, channel.id, days],
      );
      await sql.query(
        `INSERT INTO webhook_deliveries (webhook_id, event, body, created_at)
          SELECT id, 'message.created', '{}', now() - make_interval(days => $2::integer) FROM webhooks WHERE server_id = $1`,
        [server.id, days],
      );
    }
    await keepFor(owner, server.id, 30);
    expect(await count("automod_logs WHERE server_id = $1", server.id)).toBe(1);
    const deliveries = "webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE w.server_id = $1";
    expect(await count(deliveries, server.id)).toBe(1);
  });

  test("stay in a channel that is deleted at the same moment for its purge", async () => {
    const { owner, server } = await createServerWithMembers(client, 0);
    const doomed = await createChannel(owner, server.id);
    await fill(doomed.id, server.id, { messages: 2_000, days: 60 });
    const [kept] = await Promise.all([
      owner.put(retentionPath(server.id), { retention_days: 7 }),
      owner.delete(`/channels/${doomed.id}`),
    ]);
    expect(kept.status).toBe(200);
    await waitUntil(async () => (await stored(doomed.id)) === 0);
    expect(await count("expirations WHERE channel_id = $1", doomed.id)).toBe(0);
  });
});
