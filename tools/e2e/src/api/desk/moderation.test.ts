import { randomUUID } from "node:crypto";
import { AuditLogEntry, errorBody as error, Member, permissionBits, Timeout } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
/** May kick, ban and time out. */
let moderator: UserClient;
let plain: UserClient;
let stranger: UserClient;
let serverId: string;
let channelId: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, moderator, plain] = [fixture.owner, first, second];
  [serverId, channelId] = [fixture.server.id, fixture.channel.id];
  stranger = await client.register();
  const { KICK_MEMBERS, BAN_MEMBERS, MUTE_MEMBERS } = permissionBits;
  const role = await createRole(owner, serverId, { permissions: KICK_MEMBERS | BAN_MEMBERS | MUTE_MEMBERS });
  await assignRole(owner, role, moderator);
});

const of = (user: UserClient | string, action: "kick" | "ban" | "timeout", server = serverId) =>
  `/servers/${server}/members/${typeof user === "string" ? user : user.user.id}/${action}`;
const newMember = async () => {
  const user = await client.register();
  await joinServer(user, serverId);
  return user;
};
const isMember = async (user: UserClient) =>
  (await owner.get(`/servers/${serverId}/members`))
    .expect(200, z.array(Member))
    .some(({ user_id }) => user_id === user.user.id);
const latestAudit = async () => {
  const [entry] = (await owner.get(`/servers/${serverId}/audit-logs?limit=1`)).expect(
    200,
    z.array(AuditLogEntry.strict()),
  );
  return entry;
};
const entryOf = (actor: UserClient, target: UserClient, action: string, details: object) =>
  expect.objectContaining({
    actor_id: actor.user.id,
    target_type: "user",
    target_id: target.user.id,
    action,
    details,
  });

describe("kick and ban", () => {
  test.each([
    ["kick", "MEMBER_KICK", "member_kick"],
    ["ban", "MEMBER_BAN", "member_ban"],
  ] as const)(
    "a %s reaches the target before it ends their membership, on every gateway",
    async (action, event, audit) => {
      const target = await newMember();
      const outsider = connectGateway(stack.edgeUrl, stranger.accessToken);
      const watching = [target, owner, plain].flatMap((user) =>
        stack.gateways.map(({ url }) => connectGateway(url, user.accessToken)),
      );
      await Promise.all([outsider, ...watching].map(({ ready }) => ready));
      const answer = await moderator.post(of(target, action), { reason: "spamming" });
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      const expected = { server_id: serverId, user_id: target.user.id, reason: "spamming" };
      for (const socket of watching) {
        expect(await socket.waitFor(event, ({ user_id }) => user_id === target.user.id)).toEqual(expected);
      }
      expect(await isMember(target)).toBe(false);
      expect((await target.get(`/channels/${channelId}/messages`)).status).toBe(404);
      expect(await latestAudit()).toEqual(entryOf(moderator, target, audit, { reason: "spamming" }));

      const after = await postMessage(plain, channelId, "afterwards");
      const [ofTarget, ofTarget2, ...rest] = watching;
      await Promise.all(rest.map((socket) => socket.waitFor("MESSAGE_CREATE", ({ id }) => id === after.id)));
      for (const socket of [ofTarget, ofTarget2])
        await socket?.expectNone("MESSAGE_CREATE", ({ id }) => id === after.id);
      await outsider.expectNone(event);
      for (const socket of [outsider, ...watching]) socket.terminate();

      const again = await target.post(`/servers/${serverId}/join`);
      expect(again.status).toBe(action === "kick" ? 201 : 403);
    },
  );

  test("need no body, and take null and an empty reason as none", async () => {
    const target = await newMember();
    const watcher = connectGateway(stack.edgeUrl, owner.accessToken);
    await watcher.ready;
    for (const body of [undefined, {}, { reason: null }, { reason: "" }]) {
      expect((await owner.post(`/api${of(target, "kick")}`, body)).status).toBe(204);
      await watcher.waitFor("MEMBER_KICK", ({ user_id, reason }) => user_id === target.user.id && reason === null);
      expect(await latestAudit()).toEqual(entryOf(owner, target, "member_kick", { reason: null }));
      await joinServer(target, serverId);
    }
    watcher.terminate();
  });

  test("a kicked member keeps neither roles nor anything but the right to come back", async () => {
    const target = await newMember();
    const role = await createRole(owner, serverId, { permissions: permissionBits.ADMINISTRATOR });
    await assignRole(owner, role, target);
    expect((await moderator.post(of(target, "kick"))).status).toBe(204);
    await joinServer(target, serverId);
    expect((await target.get(`/servers/${serverId}/bans`)).status).toBe(403);
  });

  test("stand, like timeouts, even if the audit log cannot be written", async () => {
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    await database.query("ALTER TABLE audit_log_entries ADD CONSTRAINT broken CHECK (action = 'none') NOT VALID");
    try {
      for (const action of ["kick", "ban", "timeout"] as const) {
        const target = await newMember();
        const answer = await moderator.post(of(target, action), action === "timeout" ? { duration_minutes: 5 } : {});
        expect(answer.status).toBeLessThan(300);
        expect(await isMember(target)).toBe(action === "timeout");
        expect((await latestAudit())?.target_id).not.toBe(target.user.id);
      }
    } finally {
      await database.query("ALTER TABLE audit_log_entries DROP CONSTRAINT broken");
      await database.end();
    }
  });

  test("of many kicks at once one succeeds", async () => {
    const target = await newMember();
    const watcher = connectGateway(stack.edgeUrl, owner.accessToken);
    await watcher.ready;
    const answers = await Promise.all(Array.from({ length: 6 }, () => moderator.post(of(target, "kick"))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
    const barrier = await postMessage(plain, channelId, "barrier");
    await watcher.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id);
    expect(watcher.events.filter(({ name }) => name === "MEMBER_KICK")).toHaveLength(1);
    watcher.terminate();
  });
});

describe("timeouts", () => {
  test("bar from messages, replies, polls and edits, and from nothing else, until they are removed", async () => {
    const target = await newMember();
    const message = await postMessage(target, channelId, "before");
    const watcher = connectGateway(stack.edgeUrl, plain.accessToken);
    await watcher.ready;
    const answer = await moderator.post(of(target, "timeout"), { duration_minutes: 40320, reason: "calm down" });
    const timeout = answer.expect(200, Timeout.strict());
    expect(timeout).toMatchObject({
      user_id: target.user.id,
      server_id: serverId,
      reason: "calm down",
      created_by: moderator.user.id,
    });
    expect(Date.parse(timeout.expires_at) - Date.parse(timeout.created_at)).toBe(40320 * 60_000);
    const { expires_at, reason } = timeout;
    const event = await watcher.waitFor("MEMBER_TIMEOUT", ({ user_id }) => user_id === target.user.id);
    expect(event).toEqual({ server_id: serverId, user_id: target.user.id, expires_at, reason });
    const details = { duration_minutes: 40320, reason: "calm down" };
    expect(await latestAudit()).toEqual(entryOf(moderator, target, "member_timeout", details));

    const path = `/channels/${channelId}/messages`;
    const barred = [
      target.post(path, { content: "x" }),
      target.post(`${path}/${message.id}/thread`, { content: "x" }),
      target.post(`/channels/${channelId}/polls`, { question: "x", options: ["a", "b"] }),
      target.patch(`/messages/${message.id}`, { content: "x" }),
    ];
    for (const { status, body } of await Promise.all(barred)) {
      expect([status, body]).toEqual([403, error("User is timed out")]);
    }
    expect((await target.put(`${path}/${message.id}/reactions/%F0%9F%91%8D`)).status).toBe(204);
    expect((await target.get(path)).status).toBe(200);
    expect((await target.delete(`/servers/${serverId}/leave`)).status).toBe(204);
    await joinServer(target, serverId);
    expect((await target.post(path, { content: "x" })).status).toBe(403);

    expect((await moderator.delete(of(target, "timeout"))).status).toBe(204);
    const removed = await watcher.waitFor("MEMBER_TIMEOUT_REMOVE", ({ user_id }) => user_id === target.user.id);
    expect(removed).toEqual({ server_id: serverId, user_id: target.user.id });
    expect(await latestAudit()).toEqual(entryOf(moderator, target, "member_timeout_remove", {}));
    await postMessage(target, channelId, "after");
    watcher.terminate();
  });

  test("a new one replaces the old one; one without reason has none; removal succeeds without any", async () => {
    const target = await newMember();
    const first = (await owner.post(of(target, "timeout"), { duration_minutes: 60, reason: "a" })).expect(200, Timeout);
    const second = (await moderator.post(of(target, "timeout"), { duration_minutes: 1 })).expect(200, Timeout);
    expect(second).toMatchObject({ reason: null, created_by: moderator.user.id });
    expect(Date.parse(second.created_at)).toBeGreaterThan(Date.parse(first.created_at));
    expect(Date.parse(second.expires_at) - Date.parse(second.created_at)).toBe(60_000);
    for (let count = 0; count < 2; count += 1) expect((await owner.delete(of(target, "timeout"))).status).toBe(204);
    expect((await owner.delete(of(stranger, "timeout"))).status).toBe(204);
  });
});

describe("moderation is refused in the order of docs/protocol/moderation.md#10.1", () => {
  const actions = ["kick", "ban", "timeout"] as const;
  const refused = async (by: UserClient, path: string, body: unknown, status: number, text: string) => {
    const answer = await by.post(path, body);
    expect([path, answer.status, answer.body]).toEqual([path, status, error(text)]);
  };

  test("moderation is refused by the syntax of the body first", async () => {
    for (const action of actions) {
      await refused(stranger, of(owner, action), { reason: 7 }, 400, "reason must be at most 512 characters");
      await refused(
        stranger,
        of(owner, action),
        { reason: "x".repeat(513) },
        400,
        "reason must be at most 512 characters",
      );
      await refused(stranger, of(owner, action), [], 400, "Request body must be a JSON object");
      await refused(stranger, of("nobody", action), {}, 400, "Invalid identifier");
    }
  });

  test("then by membership, for oneself, the owner, by the right, the target, and by the duration last", async () => {
    const other = await createServer(owner);
    const body = { duration_minutes: 0 };
    const lacking = "You lack the required permission for this action";
    for (const action of actions) {
      await refused(stranger, of(stranger, action), body, 404, "Server not found");
      await refused(moderator, of(moderator, action, other.id), body, 404, "Server not found");
      await refused(moderator, of(moderator, action, randomUUID()), body, 404, "Server not found");
      await refused(plain, of(plain, action), body, 400, "You cannot moderate yourself");
      await refused(owner, of(owner, action), body, 400, "You cannot moderate yourself");
      await refused(plain, of(owner, action), body, 403, "Cannot moderate the server owner");
      await refused(moderator, of(owner, action), body, 403, "Cannot moderate the server owner");
      await refused(plain, of(stranger, action), body, 403, lacking);
    }
    await refused(moderator, of(stranger, "kick"), body, 404, "Server not found");
    await refused(moderator, of(stranger, "timeout"), body, 404, "Server not found");
    await refused(moderator, of(randomUUID(), "ban"), body, 404, "User not found");
    const range = "duration_minutes must be between 1 and 40320 (28 days)";
    for (const duration_minutes of [0, -1, 40321, 1.5, "5", null, undefined]) {
      await refused(moderator, of(plain, "timeout"), { duration_minutes }, 400, range);
    }
    for (const [by, target, status, text] of [
      [stranger, plain, 404, "Server not found"],
      [plain, plain, 400, "You cannot moderate yourself"],
      [moderator, owner, 403, "Cannot moderate the server owner"],
      [plain, moderator, 403, lacking],
    ] as const) {
      const answer = await by.delete(of(target, "timeout"));
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    }
  });

  test("moderation is refused without the action's own bit, unless with ADMINISTRATOR", async () => {
    const bits = { kick: "KICK_MEMBERS", ban: "BAN_MEMBERS", timeout: "MUTE_MEMBERS" } as const;
    for (const holds of [...actions, "ADMINISTRATOR"] as const) {
      const holder = await newMember();
      const bit = holds === "ADMINISTRATOR" ? holds : bits[holds];
      await assignRole(owner, await createRole(owner, serverId, { permissions: permissionBits[bit] }), holder);
      for (const action of actions) {
        const target = await newMember();
        const { status } = await holder.post(of(target, action), { duration_minutes: 1 });
        const allowed = holds === action || holds === "ADMINISTRATOR";
        expect([holds, action, status < 300]).toEqual([holds, action, allowed]);
      }
    }
  });
});
