import { errorBody as error } from "@parley/contracts";
import {
  createServer,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readAdminLog, runSql, startAdminStage } from "../stages/admin-stage.js";

let stack: TestStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  // Its own: all that an installation has is counted.
  ({ stack, client, admin } = await startAdminStage({ gateways: 1 }));
});
afterAll(() => stack?.stop());

const Page = z.strictObject({
  servers: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      owner_id: z.uuid(),
      owner_username: z.string(),
      icon_url: z.string().nullable(),
      is_public: z.boolean(),
      member_count: z.int(),
      channel_count: z.int(),
      message_count: z.int(),
      created_at: z.iso.datetime(),
    }),
  ),
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
});
const list = async (query = "") => (await admin.get(`/admin/servers${query}`)).expect(200, Page);
const Stats = z.strictObject({
  total_users: z.int(),
  total_servers: z.int(),
  total_messages: z.int(),
  total_channels: z.int(),
  active_ws_connections: z.int(),
  uptime_secs: z.int().nullable(),
  db_latency_ms: z.number(),
  storage_bytes: z.int(),
});
const stats = async () => (await admin.get("/admin/stats")).expect(200, Stats);

test("servers are listed newest first, private ones too, without being joined", async () => {
  const { server, owner, channel } = await createServerWithMembers(client, 1);
  await postMessage(owner, channel.id, "hello");
  const hidden = await createServer(owner, { name: "ÄLTESTE 100% private" });
  const { servers, total, page, per_page } = await list("?per_page=2");
  expect([total, page, per_page]).toEqual([2, 1, 2]);
  expect(servers).toMatchObject([
    { id: hidden.id, is_public: false, member_count: 1, channel_count: 0, message_count: 0 },
    {
      id: server.id,
      name: server.name,
      owner_id: owner.user.id,
      owner_username: owner.username,
      icon_url: null,
      is_public: true,
      member_count: 2,
      channel_count: 1,
      message_count: 1,
      created_at: server.created_at,
    },
  ]);
  const found = async (search: string) =>
    (await list(`?search=${encodeURIComponent(search)}`)).servers.map(({ id }) => id);
  expect([await found("100% p"), await found("PRIV"), await found("_"), await found("e")]).toEqual([
    [hidden.id],
    [hidden.id],
    [],
    [hidden.id, server.id],
  ]);
  expect((await admin.get(`/servers/${hidden.id}`)).status).toBe(404);
  expect((await admin.get("/admin/servers?per_page=0")).body).toEqual(error("per_page must be 1-100"));
});

test("a server is deleted with the effects of its owner's deletion, and that is logged", async () => {
  const { server, owner, channel } = await createServerWithMembers(client, 1);
  await postMessage(owner, channel.id, "hello");
  const before = await stats();
  expect((await owner.delete(`/admin/servers/${server.id}`)).body).toEqual(error("Admin access required"));
  const deletions = await Promise.all([1, 2].map(() => admin.delete(`/admin/servers/${server.id}`)));
  expect(deletions.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  expect((await owner.get(`/servers/${server.id}`)).status).toBe(404);
  expect((await admin.delete(`/admin/servers/${server.id}`)).body).toEqual(error("Server not found"));
  expect((await readAdminLog(admin))[0]).toMatchObject({
    admin_id: admin.user.id,
    action: "server_delete",
    target_type: "server",
    target_id: server.id,
    details: { name: server.name },
  });
  const kept =
    "SELECT 1 FROM audit_log_entries WHERE action = 'server_delete' AND target_id = $1 AND server_id IS NULL";
  expect(await runSql(stack.databaseUrl, kept, [server.id])).toHaveLength(1);
  expect(await stats()).toMatchObject({
    total_servers: before.total_servers - 1,
    total_channels: before.total_channels - 1,
    total_messages: before.total_messages - 1,
  });
  const count = async () => (await admin.get(`/admin/users?search=${owner.username}`)).body;
  await waitUntil(async () => JSON.stringify(await count()).includes('"message_count":0'), {
    what: "the messages of the deleted server to be purged",
  });
});

test("figures follow the stored rows", async () => {
  const before = await stats();
  const { owner, channel } = await createServerWithMembers(client, 1);
  await postMessage(owner, channel.id, "hello");
  const form = new FormData();
  form.append("file", new Blob(["12345"], { type: "text/plain" }), "a.txt");
  const message = await postMessage(owner, channel.id, "with a file");
  expect((await owner.send("POST", `/messages/${message.id}/attachments`, { body: form })).status).toBe(201);
  const after = await stats();
  expect(after).toMatchObject({
    total_users: before.total_users + 2,
    total_servers: before.total_servers + 1,
    total_channels: before.total_channels + 1,
    total_messages: before.total_messages + 2,
    storage_bytes: before.storage_bytes + 5,
    active_ws_connections: 0,
  });
  expect((await owner.get("/admin/stats")).body).toEqual(error("Admin access required"));
  expect((await client.get("/admin/stats")).status).toBe(401);
});
