import { randomUUID } from "node:crypto";
import { errorBody as error, Message } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
  createServerWithMembers,
  listMessages,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, createBotClient, readAdminLog, registerAdmin, runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
});

const remove = (userId: string) => admin.delete(`/admin/users/${userId}`);
const DmChannels = z.array(z.object({ id: z.string(), recipient: z.object({ id: z.string() }) }));
const members = async (user: RestClient, serverId: string) =>
  (await user.get(`/servers/${serverId}/members`)).expect(200, z.array(z.object({ user_id: z.string() })));

test("an account goes at once, and leaves its messages without an author", async () => {
  const {
    server,
    owner,
    members: [ann],
    channel,
  } = await createServerWithMembers(client, 1);
  const message = await postMessage(ann, channel.id, "I was here");
  const bot = await createBotClient(ann);
  const dm = (await ann.post("/dm-channels", { user_id: owner.user.id })).expect(201, z.object({ id: z.string() }));
  await ann.post(`/dm-channels/${dm.id}/messages`, { content: "hello" });
  const sockets = stack.gateways.map(({ url }) => connectGateway(url, ann.accessToken));
  await Promise.all(sockets.map(({ ready }) => ready));

  expect((await remove(ann.user.id)).status).toBe(204);
  for (const { closed } of sockets) expect((await closed).code).toBe(1000);
  for (const { url } of stack.apis) {
    expect((await createClient(url).withAuthorization(`Bearer ${ann.accessToken}`).get("/users/@me")).status).toBe(401);
  }
  expect((await client.post("/auth/refresh", { refresh_token: ann.refreshToken })).status).toBe(401);
  expect((await client.post("/auth/login", { username: ann.username, password: ann.password })).status).toBe(401);
  expect((await bot.client.get("/users/@me")).status).toBe(401);
  expect(await listMessages(owner, channel.id)).toEqual([
    expect.objectContaining({ id: message.id, content: "I was here", author_id: null }),
  ]);
  expect((await owner.get(`/users/${ann.user.id}`)).body).toEqual(error("User not found"));
  expect((await owner.get("/dm-channels")).expect(200, DmChannels)).toEqual([]);
  expect((await owner.get(`/dm-channels/${dm.id}/messages`)).status).toBe(404);
  expect((await members(owner, server.id)).map(({ user_id }) => user_id)).toEqual([owner.user.id]);
  expect((await readAdminLog(admin))[0]).toMatchObject({
    action: "user_delete",
    target_type: "user",
    target_id: ann.user.id,
    details: { username: ann.username },
  });
  expect((await client.register({ username: ann.username })).user.id).not.toBe(ann.user.id);
  expect((await remove(ann.user.id)).body).toEqual(error("User not found"));
});

test("what an account created for a server stays without its name", async () => {
  const {
    server,
    owner,
    members: [ann],
  } = await createServerWithMembers(client, 1);
  const insert = (table: string, columns: string, values: string) =>
    runSql(stack.databaseUrl, `INSERT INTO ${table} (server_id, created_by, ${columns}) VALUES ($1, $2, ${values})`, [
      server.id,
      ann.user.id,
    ]);
  await insert("custom_emojis", "name, content_type, file_size", "'blob', 'image/png', 10");
  await insert(
    "webhooks",
    "name, url, event_types, secret",
    "'Hook', 'https://example.com', '{message.created}', repeat('0', 64)",
  );
  expect((await remove(ann.user.id)).status).toBe(204);
  const CreatedBy = z.object({ created_by: z.string().nullable() });
  const [emojis, webhooks] = [
    (await owner.get(`/servers/${server.id}/emojis`)).expect(200, z.array(CreatedBy)),
    (await owner.get(`/servers/${server.id}/webhooks`)).expect(200, z.object({ webhooks: z.array(CreatedBy) }))
      .webhooks,
  ];
  expect([emojis, webhooks]).toEqual([[{ created_by: null }], [{ created_by: null }]]);
});

test("logs and bots keep the name of no account that is gone", async () => {
  const {
    server,
    owner,
    members: [ann],
    channel,
  } = await createServerWithMembers(client, 1);
  const sql = (text: string, ...values: unknown[]) => runSql(stack.databaseUrl, text, values);
  const bot = await createBotClient(ann);
  await sql("UPDATE bots SET description = $2 WHERE id = $1", bot.id, `of ${ann.username}`);
  (await ann.patch(`/bots/${bot.id}`, { interactions_url: "https://ann.example.com" })).expect(200, z.looseObject({}));
  await sql(
    `INSERT INTO automod_logs (server_id, user_id, username, rule_type, action_taken, message_content)
      VALUES ($1, $2, $3, 'spam', 'delete', 'spam')`,
    ...[server.id, ann.user.id, ann.username],
  );
  const quote = `"author_id":"${ann.user.id}"`;
  const data = { id: randomUUID(), channel_id: channel.id, author_id: ann.user.id, content: quote };
  const [webhook] = z.array(z.object({ id: z.string() })).parse(
    await sql(
      `INSERT INTO webhooks (server_id, name, url, event_types, secret)
        VALUES ($1, 'Hook', 'https://example.com', '{message.created}', repeat('0', 64)) RETURNING id`,
      server.id,
    ),
  );
  for (const status of ["delivered", "pending"]) {
    await sql(
      "INSERT INTO webhook_deliveries (webhook_id, event, body, status) VALUES ($1, 'message.created', $2, $3)",
      ...[webhook?.id, JSON.stringify({ data }), status],
    );
  }
  expect((await remove(ann.user.id)).status).toBe(204);
  const [entry] = (await owner.get(`/servers/${server.id}/automod/logs`)).expect(200, z.array(z.unknown()));
  expect(entry).toMatchObject({ user_id: null, username: "deleted-account", message_content: "spam" });
  expect(await sql("SELECT name, description, created_by, interactions_url FROM bots WHERE id = $1", bot.id)).toEqual([
    { name: "deleted-account", description: null, created_by: null, interactions_url: null },
  ]);
  const bodies = "SELECT body::jsonb AS body FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY status";
  expect(await sql(bodies, webhook?.id)).toEqual([
    { body: { data: { ...data, author_id: null } } },
    { body: { data } },
  ]);
});

test("an owner of servers, oneself, unknown accounts and other callers are refused", async () => {
  const owner = await client.register();
  await createServer(owner);
  const cases = [
    [admin, owner.user.id, 400, "This account owns servers"],
    [admin, admin.user.id, 400, "You cannot do this to your own account"],
    [admin, randomUUID(), 404, "User not found"],
    [owner, randomUUID(), 403, "Admin access required"],
  ] as const;
  for (const [caller, id, status, text] of cases) {
    const answer = await caller.delete(`/admin/users/${id}`);
    expect([answer.status, answer.body]).toEqual([status, error(text)]);
  }
  expect((await owner.get("/users/@me")).status).toBe(200);
});

test("two administrators who delete each other at once leave one", async () => {
  const pair = [
    await registerAdmin(client, stack.databaseUrl),
    await registerAdmin(client, stack.databaseUrl),
  ] as const;
  const [ann, bob] = pair;
  const setAdmin = (isAdmin: boolean) =>
    runSql(stack.databaseUrl, "UPDATE users SET is_admin = $2 WHERE id = $1", [admin.user.id, isAdmin]);
  await setAdmin(false);
  try {
    const answers = await Promise.all([
      ann.delete(`/admin/users/${bob.user.id}`),
      bob.delete(`/admin/users/${ann.user.id}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(204);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  } finally {
    await setAdmin(true);
  }
});

test("a large account is removed in steps, by whichever process finds it", async () => {
  const {
    owner,
    members: [ann],
    channel,
    server,
  } = await createServerWithMembers(client, 1);
  await runSql(
    stack.databaseUrl,
    "INSERT INTO messages (channel_id, server_id, author_id, content) SELECT $1, $2, $3, 'm' || n FROM generate_series(1, 1700) n",
    [channel.id, server.id, ann.user.id],
  );
  const kept = (await owner.get(`/channels/${channel.id}/messages?limit=1`)).expect(200, z.array(Message))[0];
  // As a process leaves it that dies after its first transaction.
  await runSql(stack.databaseUrl, "UPDATE users SET disabled_at = now(), session_version = 1 WHERE id = $1", [
    ann.user.id,
  ]);
  await runSql(stack.databaseUrl, "INSERT INTO account_deletions (user_id, claimed_until) VALUES ($1, now())", [
    ann.user.id,
  ]);
  expect((await owner.get(`/users/${ann.user.id}`)).status).toBe(404);
  expect((await owner.post("/dm-channels", { user_id: ann.user.id })).status).toBe(404);
  await waitUntil(
    async () => (await runSql(stack.databaseUrl, "SELECT 1 FROM users WHERE id = $1", [ann.user.id])).length === 0,
    { what: "the account to be removed" },
  );
  expect(
    await runSql(
      stack.databaseUrl,
      "SELECT count(*)::int AS n FROM messages WHERE author_id IS NULL AND channel_id = $1",
      [channel.id],
    ),
  ).toEqual([{ n: 1700 }]);
  expect((await listMessages(owner, channel.id))[0]).toMatchObject({ id: kept?.id, author_id: null });
});
