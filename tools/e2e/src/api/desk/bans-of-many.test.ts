import { randomUUID } from "node:crypto";
import { Ban, BulkBan, errorBody as error, Message, permissionBits } from "@parley/contracts";
import {
  assignRole,
  createRole,
  createServerWithMembers,
  listMessages,
  postMessage,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";
import { runSql } from "../stages/admin-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage("v=2");
  const role = await createRole(stage.owner, stage.serverId, { permissions: permissionBits.BAN_MEMBERS });
  await assignRole(stage.owner, role, stage.viewer);
  await stage.heard();
});
afterAll(() => stage?.connections.closeAll());

const sql = (text: string, values: unknown[]) => runSql(stage.stack.databaseUrl, text, values);
const ban = (by: UserClient, userId: string, body: object) =>
  by.post(`/servers/${stage.serverId}/members/${userId}/ban`, body);
const bans = async () => (await stage.owner.get(`/servers/${stage.serverId}/bans`)).expect(200, z.array(Ban.strict()));
const banOf = async (userId: string) => (await bans()).find(({ user_id }) => user_id === userId);
const bulk = (by: UserClient, body: object) => by.post(`/servers/${stage.serverId}/bans/bulk`, body);
const unbans = async (userId: string) => {
  const path = `/servers/${stage.serverId}/audit-logs?action=member_unban`;
  const entries = (await stage.owner.get(path)).expect(200, z.array(z.object({ target_id: z.string() }).loose()));
  return entries.filter(({ target_id }) => target_id === userId);
};

test("a ban for a while says when it ends, a later one sets or removes that time, and of two apis one ends it when it expires", async () => {
  const { owner, client, serverId } = stage;
  const { user, ...target } = await client.register();
  const before = Date.now();
  expect((await ban(owner, user.id, { expires_in_minutes: 5 })).status).toBe(204);
  const { expires_at = "" } = (await banOf(user.id)) ?? {};
  expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 300_000);
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + 300_000);
  const { v1, v2 } = await stage.heard();
  const banned = { server_id: serverId, user_id: user.id, reason: null };
  expect(v1.outsider).toEqual([["MEMBER_BAN", banned]]);
  const stored = { ...banned, banned_by: owner.user.id, created_at: expect.any(String), expires_at };
  expect(v2.outsider).toEqual([["MEMBER_BAN", stored]]);

  expect((await ban(owner, user.id, {})).status).toBe(204);
  expect(await banOf(user.id)).not.toHaveProperty("expires_at");
  expect((await ban(owner, user.id, { expires_in_minutes: 525_600 })).status).toBe(204);
  await stage.heard();

  await sql("UPDATE bans SET expires_at = now() WHERE server_id = $1 AND user_id = $2", [serverId, user.id]);
  await waitUntil(async () => (await banOf(user.id)) === undefined, { timeoutMs: 60_000 });
  const ended = await stage.heard({ outsider: "MEMBER_UNBAN" });
  const unbanned = [["MEMBER_UNBAN", { server_id: serverId, user_id: user.id }]];
  expect([ended.v1.outsider, ended.v2.outsider]).toEqual([unbanned, unbanned]);
  expect(await unbans(user.id)).toEqual([expect.objectContaining({ actor_id: null, details: { expired: true } })]);
  expect((await target.post(`/servers/${serverId}/join`)).status).toBe(201);
});

test("a ban that cannot be ended keeps no later one from its end", async () => {
  const { owner, client, serverId } = stage;
  const [stuck, next] = [await client.register(), await client.register()];
  for (const { user } of [stuck, next]) await ban(owner, user.id, { expires_in_minutes: 5 });
  await sql(
    `CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN IF OLD.user_id = '${stuck.user.id}' THEN RAISE 'this row fails'; END IF; RETURN OLD; END$$`,
    [],
  );
  await sql("CREATE TRIGGER refuse_end BEFORE DELETE ON bans FOR EACH ROW EXECUTE FUNCTION refuse_end()", []);
  try {
    const over = "UPDATE bans SET expires_at = now() - make_interval(secs => $3) WHERE server_id = $1 AND user_id = $2";
    await sql(over, [serverId, stuck.user.id, 60]);
    await sql(over, [serverId, next.user.id, 30]);
    await waitUntil(async () => (await banOf(next.user.id)) === undefined, { timeoutMs: 60_000 });
    expect(await banOf(stuck.user.id)).toBeDefined();
  } finally {
    await sql("DROP FUNCTION refuse_end CASCADE", []);
  }
  await waitUntil(async () => (await banOf(stuck.user.id)) === undefined, { timeoutMs: 60_000 });
});

test("the banned user's messages of the time asked for are deleted in every channel, for each version in its events, and no other ones", async () => {
  const { owner, admin, client, serverId, open, hidden, stack } = stage;
  const target = await client.register();
  expect((await target.post(`/servers/${serverId}/join`)).status).toBe(201);
  const elsewhere = await createServerWithMembers(client, 0);
  expect((await target.post(`/servers/${elsewhere.server.id}/join`)).status).toBe(201);
  const kept = [
    await postMessage(owner, open.id, "somebody else's"),
    await postMessage(target, elsewhere.channel.id, "in another server"),
  ];
  const [old, first, second] = [
    await postMessage(target, open.id, "old"),
    await postMessage(target, open.id, "first"),
    await postMessage(target, hidden.id, "second"),
  ];
  const path = `/channels/${open.id}/messages/${kept[0]?.id}/thread`;
  const reply = (await target.post(path, { content: "a reply" })).expect(201, Message);
  const oldId = `01900000-0000-7${randomUUID().slice(15)}`;
  await sql("UPDATE messages SET id = $2 WHERE id = $1", [old.id, oldId]);
  await stage.heard();

  expect((await ban(admin, target.user.id, { delete_message_seconds: 3_600 })).status).toBe(204);
  const isDeleted = async (message: { channel_id: string; id: string }) =>
    (await owner.get(`/channels/${message.channel_id}/messages/${message.id}`)).expect(200, Message).deleted;
  await waitUntil(async () => (await Promise.all([first, second, reply].map(isDeleted))).every(Boolean), {
    timeoutMs: 60_000,
  });
  expect((await listMessages(owner, open.id)).map(({ id }) => id)).toContain(oldId);
  expect((await listMessages(owner, open.id)).map(({ id }) => id)).toContain(kept[0]?.id);
  expect(await listMessages(elsewhere.owner, elsewhere.channel.id)).toHaveLength(1);
  const { v1, v2 } = await stage.heard();
  const deletions = (heard: typeof v1.owner) =>
    heard.filter(([name]) => name.startsWith("MESSAGE_DELETE")).map(([name, payload]) => [name, payload]);
  const one = (id: string) => ["MESSAGE_DELETE", { id, channel_id: open.id }];
  const many = ["MESSAGE_DELETE_BULK", { channel_id: open.id, ids: [first.id, reply.id] }];
  expect(deletions(v1.outsider)).toEqual([one(first.id), one(reply.id)]);
  expect(deletions(v2.outsider)).toEqual([many]);
  expect(deletions(v2.admin)).toContainEqual(["MESSAGE_DELETE_BULK", { channel_id: hidden.id, ids: [second.id] }]);

  // The purge goes on looking for a while; messages from after the end of the ban are not its business.
  expect((await owner.delete(`/servers/${serverId}/bans/${target.user.id}`)).status).toBe(204);
  expect((await target.post(`/servers/${serverId}/join`)).status).toBe(201);
  const after = await postMessage(target, open.id, "back again");
  const purges = () => runSql(stack.databaseUrl, "SELECT FROM ban_purges WHERE user_id = $1", [target.user.id]);
  await waitUntil(async () => (await purges()).length === 0);
  expect(await isDeleted(after)).toBe(false);
});

test("many are banned at once, each by the checks of a single ban, and each failure is named with its text", async () => {
  const { owner, admin, viewer, outsider, client, serverId } = stage;
  const [stranger, member] = [await client.register(), await client.register()];
  expect((await member.post(`/servers/${serverId}/join`)).status).toBe(201);
  const missing = randomUUID();
  const users = [stranger, owner, viewer, member, stranger].map(({ user }) => user.id);
  await stage.heard();
  const answer = await bulk(viewer, { user_ids: [...users, missing], reason: "a raid" });
  expect(answer.expect(200, BulkBan.strict())).toEqual({
    banned: [stranger.user.id, member.user.id],
    failed: [
      { user_id: owner.user.id, error: "Cannot moderate the server owner" },
      { user_id: viewer.user.id, error: "You cannot moderate yourself" },
      { user_id: missing, error: "User not found" },
    ],
  });
  const { v1 } = await stage.heard();
  const banned = [stranger, member].map(({ user: { id } }) => ({ server_id: serverId, user_id: id, reason: "a raid" }));
  expect(v1.outsider).toEqual(banned.map((payload) => ["MEMBER_BAN", payload]));
  const log = await owner.get(`/servers/${serverId}/audit-logs?action=member_ban&limit=2`);
  const entry = { actor_id: viewer.user.id, details: { reason: "a raid" } };
  expect(log.body).toMatchObject([member, stranger].map(({ user }) => ({ ...entry, target_id: user.id })));

  const refusals = [
    [outsider, { user_ids: [missing] }, 403, "You lack the required permission for this action"],
    [stranger, { user_ids: [missing] }, 404, "Server not found"],
    [outsider, { user_ids: [] }, 400, "user_ids must be 1-200 ids"],
    [admin, { user_ids: Array.from({ length: 201 }, randomUUID) }, 400, "user_ids must be 1-200 ids"],
    [admin, { user_ids: ["x"] }, 400, "user_ids must be 1-200 ids"],
    [admin, {}, 400, "user_ids must be 1-200 ids"],
  ] as const;
  for (const [by, body, status, text] of refusals) {
    const refused = await bulk(by, body);
    expect([refused.status, refused.body]).toEqual([status, error(text)]);
  }
  for (const [field, value, text] of [
    ["delete_message_seconds", 604_801, "delete_message_seconds must be between 0 and 604800"],
    ["delete_message_seconds", -1, "delete_message_seconds must be between 0 and 604800"],
    ["expires_in_minutes", 0, "expires_in_minutes must be between 1 and 525600"],
    ["expires_in_minutes", 525_601, "expires_in_minutes must be between 1 and 525600"],
  ] as const) {
    const refused = await ban(admin, missing, { [field]: value });
    expect([refused.status, refused.body]).toEqual([400, error(text)]);
  }
});
