import { randomUUID } from "node:crypto";
import {
  AuditLogEntry,
  type Channel,
  ChannelOverride,
  errorBody as error,
  permissionBits,
  type Role,
} from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  connectWitnesses,
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
  type Witnesses,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS, MANAGE_MESSAGES } = permissionBits;

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
let manager: UserClient;
let plain: UserClient;
let stranger: UserClient;
let witnesses: Witnesses;
let channel: Channel;
let role: Role;
let path: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, manager, plain] = [fixture.owner, first, second];
  stranger = await client.register();
  channel = fixture.channel;
  path = `/channels/${channel.id}/overrides`;
  role = await createRole(owner, channel.server_id, { name: "Readers" });
  await assignRole(owner, await createRole(owner, channel.server_id, { permissions: MANAGE_CHANNELS }), manager);
  witnesses = await connectWitnesses(stack, { insiders: [owner, plain], outsiders: [stranger] });
});
afterAll(async () => {
  witnesses?.close();
});

const list = async (by: RestClient) => (await by.get(path)).expect(200, z.array(ChannelOverride.strict()));
const put = async (by: RestClient, body: object) => (await by.put(path, body)).expect(200, ChannelOverride.strict());
const lastAudit = async () =>
  (await owner.get(`/servers/${channel.server_id}/audit-logs?limit=1`)).expect(200, z.array(AuditLogEntry))[0];

describe("an override", () => {
  test("an override is announced to every member, and audited, when it is created, replaced and deleted", async () => {
    const forUser = await put(owner, { user_id: plain.user.id.toUpperCase(), role_id: null, allow: 8, deny: 0 });
    const ids = { id: expect.any(String), channel_id: channel.id };
    expect(forUser).toEqual({ ...ids, role_id: null, user_id: plain.user.id, allow: 8, deny: 0 });
    const forRole = await put(owner, { role_id: role.id, allow: 0, deny: SEND_MESSAGES });
    expect(forRole).toEqual({ ...ids, role_id: role.id, user_id: null, allow: 0, deny: SEND_MESSAGES });
    const replaced = await put(owner, { role_id: role.id, allow: SEND_MESSAGES, deny: 16 });
    expect(replaced).toEqual({ ...forRole, allow: SEND_MESSAGES, deny: 16 });
    await witnesses.expectEvents(
      ["CHANNEL_OVERRIDE_UPDATE", forUser],
      ["CHANNEL_OVERRIDE_UPDATE", forRole],
      ["CHANNEL_OVERRIDE_UPDATE", replaced],
    );
    const target = { actor_id: owner.user.id, target_type: "channel", target_id: channel.id };
    const { id, channel_id: _, ...said } = replaced;
    expect(await lastAudit()).toMatchObject({ ...target, action: "channel_override_update" });
    expect((await lastAudit())?.details).toEqual({ override_id: id, ...said });
    const forManager = await put(owner, { user_id: manager.user.id, allow: 0, deny: 8 });
    expect(await list(plain)).toEqual([replaced, forUser, forManager]);
    expect((await owner.delete(`${path}/${forManager.id}`)).status).toBe(204);
    await witnesses.expectEvents(
      ["CHANNEL_OVERRIDE_UPDATE", forManager],
      ["CHANNEL_OVERRIDE_DELETE", { channel_id: channel.id, override_id: forManager.id }],
    );

    expect((await owner.delete(`${path}/${id}`)).status).toBe(204);
    expect((await owner.delete(`${path}/${forUser.id}`)).status).toBe(204);
    await witnesses.expectEvents(
      ["CHANNEL_OVERRIDE_DELETE", { channel_id: channel.id, override_id: id }],
      ["CHANNEL_OVERRIDE_DELETE", { channel_id: channel.id, override_id: forUser.id }],
    );
    expect(await lastAudit()).toMatchObject({ ...target, action: "channel_override_delete" });
    expect((await lastAudit())?.details).toEqual({ override_id: forUser.id });
    expect(await list(plain)).toEqual([]);
    const again = await owner.delete(`${path}/${id}`);
    expect([again.status, again.body]).toEqual([404, error("Override not found")]);
  });

  test("an override is the only one of its target in a channel, also when several are put at once", async () => {
    const overrides = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(owner, { role_id: role.id, allow: 0, deny: index })),
    );
    expect(new Set(overrides.map(({ id }) => id)).size).toBe(1);
    const stored = await list(owner);
    expect(stored).toHaveLength(1);
    expect(overrides).toContainEqual(stored[0]);
    expect((await owner.delete(`${path}/${overrides[0]?.id}`)).status).toBe(204);
  });

  test("an override is deleted with its role, without an event of its own", async () => {
    const shortLived = await createRole(owner, channel.server_id);
    await put(owner, { role_id: shortLived.id, allow: 0, deny: 2 });
    const [deleted, ...answers] = await Promise.all([
      owner.delete(`/servers/${channel.server_id}/roles/${shortLived.id}`),
      ...[1, 2, 3].map((deny) => owner.put(path, { role_id: shortLived.id, allow: 0, deny })),
    ]);
    expect(deleted?.status).toBe(204);
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body]).toEqual([404, error("Role not found")]);
    }
    expect(await list(owner)).toEqual([]);
  });

  test("an override is refused with 404 when its channel is deleted meanwhile", async () => {
    for (let round = 0; round < 5; round += 1) {
      const doomed = await createChannel(owner, channel.server_id);
      const [deleted, ...answers] = await Promise.all([
        owner.delete(`/channels/${doomed.id}`),
        ...[1, 2, 3].map((deny) => owner.put(`/channels/${doomed.id}/overrides`, { role_id: role.id, allow: 0, deny })),
      ]);
      expect(deleted?.status).toBe(204);
      for (const { status, body } of answers) {
        if (status !== 200) expect([status, body]).toEqual([404, error("Channel not found")]);
      }
    }
  });
});

describe("what an override does", () => {
  test("a member who may view no longer gets nothing from the answer on, and everything again without reconnecting", async () => {
    const hidden = await createChannel(owner, channel.server_id, { name: "hidden" });
    const overrides = `/channels/${hidden.id}/overrides`;
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, plain.accessToken));
    await Promise.all(sockets.map((socket) => socket.ready));
    const before = await postMessage(owner, hidden.id, "before");
    const denied = await owner.put(overrides, { user_id: plain.user.id, allow: 0, deny: VIEW_CHANNEL });
    const { id } = denied.expect(200, ChannelOverride);
    const secret = await postMessage(owner, hidden.id, "secret");
    expect((await plain.get(overrides)).body).toEqual(error("You don't have permission to view this channel"));
    expect((await owner.delete(`${overrides}/${id}`)).status).toBe(204);
    const after = await postMessage(owner, hidden.id, "after");
    for (const socket of sockets) {
      await socket.waitFor("MESSAGE_CREATE", (message) => message.id === before.id);
      await socket.waitFor("MESSAGE_CREATE", (message) => message.id === after.id);
      await socket.expectNone("MESSAGE_CREATE", (message) => message.id === secret.id);
      await socket.close();
    }
  });
});

describe("putting an override is refused", () => {
  const id = randomUUID();
  test.each([
    [{ allow: 0, deny: 0 }, "Either role_id or user_id must be provided"],
    [{ role_id: null, user_id: null, allow: 1, deny: 1 }, "Either role_id or user_id must be provided"],
    [{ role_id: id, user_id: id, allow: 0, deny: 0 }, "Only one of role_id or user_id may be provided"],
    [{ role_id: id, allow: 3, deny: 6 }, "allow and deny must not have overlapping bits"],
    [{ role_id: id, allow: 32768, deny: 0 }, "allow must be between 0 and 32767"],
    [{ role_id: id, allow: -1, deny: 0 }, "allow must be between 0 and 32767"],
    [{ role_id: id, deny: 0 }, "allow must be between 0 and 32767"],
    [{ role_id: id, allow: 0, deny: 0.5 }, "deny must be between 0 and 32767"],
    [{ role_id: id, allow: 0, deny: null }, "deny must be between 0 and 32767"],
    [{ role_id: "x", allow: 0, deny: 0 }, "Invalid role_id"],
    [{ user_id: 5, allow: 0, deny: 0 }, "Invalid user_id"],
  ])("an override with %j is refused", async (body, text) => {
    const answer = await stranger.put(path, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("an override is refused for a target that is no role or member of the server", async () => {
    const founder = await client.register();
    const foreign = await createRole(founder, (await createServer(founder)).id);
    const refuse = async (target: object, text: string) => {
      const answer = await owner.put(path, { ...target, allow: 0, deny: 0 });
      expect([answer.status, answer.body]).toEqual([404, error(text)]);
    };
    await refuse({ role_id: foreign.id }, "Role not found");
    await refuse({ role_id: randomUUID() }, "Role not found");
    await refuse({ user_id: stranger.user.id }, "User not found");
    await refuse({ user_id: randomUUID() }, "User not found");
  });

  test("an override is refused to strangers, who find no channel, and to members without the right", async () => {
    const { id } = await put(owner, { role_id: role.id, allow: 0, deny: 0 });
    const body = { role_id: role.id, allow: 0, deny: 0 };
    for (const answer of [
      await stranger.get(path),
      await stranger.put(path, body),
      await stranger.delete(`${path}/${id}`),
      await owner.get(`/channels/${randomUUID()}/overrides`),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, error("Channel not found")]);
    }
    const edited = await plain.put(path, body);
    const needEdit = "You need the Manage Channels permission to edit channel overrides";
    expect([edited.status, edited.body]).toEqual([403, error(needEdit)]);
    const deleted = await plain.delete(`${path}/${id}`);
    const needDelete = "You need the Manage Channels permission to delete channel overrides";
    expect([deleted.status, deleted.body]).toEqual([403, error(needDelete)]);
    expect((await plain.delete(`${path}/${randomUUID()}`)).body).toEqual(error("Override not found"));
    const elsewhere = await createChannel(owner, channel.server_id);
    expect((await owner.delete(`/channels/${elsewhere.id}/overrides/${id}`)).status).toBe(404);
    expect((await owner.get("/channels/x/overrides")).body).toEqual(error("Invalid identifier"));
  });

  test("an override is refused to a manager who would allow what they may not do in the channel themselves", async () => {
    const refused = await manager.put(path, { role_id: role.id, allow: MANAGE_MESSAGES, deny: 0 });
    expect([refused.status, refused.body]).toEqual([403, error("Cannot grant permissions you do not have")]);
    await put(manager, { role_id: role.id, allow: MANAGE_CHANNELS | SEND_MESSAGES, deny: MANAGE_MESSAGES });
    await put(owner, { user_id: manager.user.id, allow: MANAGE_MESSAGES, deny: 0 });
    await put(manager, { role_id: role.id, allow: MANAGE_MESSAGES, deny: 0 });
    await put(owner, { user_id: manager.user.id, allow: 0, deny: MANAGE_CHANNELS });
    expect((await manager.put(path, { role_id: role.id, allow: 0, deny: 0 })).status).toBe(403);
  });
});
