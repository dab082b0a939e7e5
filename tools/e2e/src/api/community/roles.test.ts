import { randomUUID } from "node:crypto";
import { AuditLogEntry, allPermissionBits, errorBody as error, permissionBits, Role } from "@parley/contracts";
import {
  assignRole,
  connectWitnesses,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Witnesses,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let owner: UserClient;
let manager: UserClient;
let plain: UserClient;
let stranger: UserClient;
/** Owns other servers, whose events the witnesses do not get. */
let founder: UserClient;
let witnesses: Witnesses;
let serverId: string;
/** Position 10; its holder manages roles and invites. */
let managerRole: Role;
let roles: string;

beforeAll(async () => {
  stack = await sharedStack();
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, manager, plain] = [fixture.owner, first, second];
  stranger = await client.register();
  founder = await client.register();
  serverId = fixture.server.id;
  roles = `/servers/${serverId}/roles`;
  const permissions = permissionBits.MANAGE_ROLES | permissionBits.CREATE_INVITES;
  managerRole = await createRole(owner, serverId, { name: "Manager", permissions, position: 10 });
  await assignRole(owner, managerRole, manager);
  witnesses = await connectWitnesses(stack, { insiders: [owner, plain], outsiders: [stranger] });
});
afterAll(async () => {
  witnesses?.close();
});

const lastAudit = async () =>
  (await owner.get(`/servers/${serverId}/audit-logs?limit=1`)).expect(200, z.array(AuditLogEntry.strict()))[0];

describe("a role", () => {
  test("a role is announced to every member on every gateway, and audited, when it is created, changed and deleted", async () => {
    const role = (await owner.post(roles, { name: "  Reds ", color: "#Ff0000" })).expect(201, Role.strict());
    expect(role).toEqual({
      id: expect.any(String),
      server_id: serverId,
      name: "Reds",
      permissions: 0,
      color: "#Ff0000",
      position: 11,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    await witnesses.expectEvents(["ROLE_CREATE", role]);
    const target = { server_id: serverId, actor_id: owner.user.id, target_type: "role", target_id: role.id };
    expect(await lastAudit()).toMatchObject({
      ...target,
      action: "role_create",
      details: { name: "Reds", permissions: 0 },
    });

    const change = { name: "Blues", permissions: 3, color: null };
    const changed = (await owner.patch(`${roles}/${role.id}`, change)).expect(200, Role.strict());
    expect(changed).toEqual({ ...role, name: "Blues", permissions: 3 });
    await witnesses.expectEvents(["ROLE_UPDATE", changed]);
    expect(await lastAudit()).toMatchObject({
      ...target,
      action: "role_update",
      details: { name: "Blues", permissions: 3 },
    });
    const untouched = await owner.send("PATCH", `${roles}/${role.id}`, {
      headers: { "content-type": "application/json" },
    });
    expect(untouched.expect(200, Role)).toEqual(changed);

    expect((await owner.delete(`${roles}/${role.id}`)).status).toBe(204);
    await witnesses.expectEvents(["ROLE_DELETE", { server_id: serverId, role_id: role.id }]);
    expect(await lastAudit()).toMatchObject({ ...target, action: "role_delete", details: { name: "Blues" } });
    const again = await owner.delete(`${roles}/${role.id}`);
    expect([again.status, again.body]).toEqual([404, error("Role not found")]);
  });

  test("a role is listed to members below all higher ones, over both prefixes", async () => {
    const server = await createServer(founder);
    const made = [];
    for (const position of [2, 7, 2, 0]) made.push(await createRole(founder, server.id, { position }));
    const [low, high, lowToo, lowest] = made;
    const answer = (await founder.get(`/servers/${server.id}/roles`)).expect(200, z.array(Role.strict()));
    expect(answer).toEqual([high, low, lowToo, lowest]);
    const bare = createClient(stack.edgeUrl, { authorization: `Bearer ${founder.accessToken}` });
    expect((await bare.get(`/servers/${server.id}/roles`)).body).toEqual(answer);
  });

  test("a role is deleted once, however many ask", async () => {
    const role = await createRole(owner, serverId, { position: 1 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => owner.delete(`${roles}/${role.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    await witnesses.expectEvents(["ROLE_CREATE", role], ["ROLE_DELETE", { server_id: serverId, role_id: role.id }]);
  });
});

describe("default positions", () => {
  test("the owner's roles go on top, one above the other, also when created at once", async () => {
    const server = await createServer(founder);
    const made = await Promise.all(Array.from({ length: 12 }, () => createRole(founder, server.id)));
    const positions = made.map(({ position }) => position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  test("everybody else's go just below their own highest", async () => {
    const role = (await manager.post(roles, { name: "Below" })).expect(201, Role);
    expect(role.position).toBe(9);
    await witnesses.expectEvents(["ROLE_CREATE", role]);
  });

  test("stop at the highest position there is", async () => {
    const server = await createServer(founder);
    const top = await createRole(founder, server.id, { position: 2 ** 31 - 1 });
    expect((await createRole(founder, server.id)).position).toBe(top.position);
  });
});

describe("management of roles", () => {
  const inputs: [object, string][] = [
    [{ name: " " }, "Role name must be 1-100 characters"],
    [{ name: "x".repeat(101) }, "Role name must be 1-100 characters"],
    [{ name: 5 }, "Role name must be 1-100 characters"],
    [{ name: "a\u0000" }, "Role name must be 1-100 characters"],
    [{ name: "a", permissions: -1 }, "Permissions must be between 0 and 32767"],
    [{ name: "a", permissions: allPermissionBits + 1 }, "Permissions must be between 0 and 32767"],
    [{ name: "a", permissions: 1.5 }, "Permissions must be between 0 and 32767"],
    [{ name: "a", color: "red" }, "color must be a hex colour"],
    [{ name: "a", color: "#12345" }, "color must be a hex colour"],
    [{ name: "a", position: -1 }, "Position must be 0 or more"],
    [{ name: "a", position: 2 ** 31 }, "Position must be 0 or more"],
  ];
  test.each([...inputs, [{}, "Role name must be 1-100 characters"] as const])(
    "refuses to create a role with %j",
    async (body, text) => {
      const answer = await owner.post(roles, body);
      expect([answer.status, answer.body]).toEqual([400, error(text)]);
    },
  );
  test.each(inputs)("refuses a change to %j, even of a role that does not exist", async (body, text) => {
    const answer = await plain.patch(`${roles}/${randomUUID()}`, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("management of roles answers malformed identifiers with 400, and strangers and roles of another server with 404", async () => {
    expect((await owner.get("/servers/x/roles")).body).toEqual(error("Invalid identifier"));
    const answers = await Promise.all([
      stranger.get(roles),
      stranger.post(roles, { name: "a" }),
      stranger.patch(`${roles}/${managerRole.id}`, {}),
      stranger.delete(`${roles}/${managerRole.id}`),
      owner.get(`/servers/${randomUUID()}/roles`),
    ]);
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    const other = await createServer(founder);
    const foreign = await createRole(founder, other.id);
    for (const path of [`${roles}/${foreign.id}`, `${roles}/${randomUUID()}`]) {
      expect((await plain.patch(path, {})).body).toEqual(error("Role not found"));
      expect((await plain.delete(path)).body).toEqual(error("Role not found"));
    }
  });

  test("management of roles leaves members without the right the list alone", async () => {
    const answers = await Promise.all([
      plain.post(roles, { name: "a" }),
      plain.patch(`${roles}/${managerRole.id}`, { name: "a" }),
      plain.delete(`${roles}/${managerRole.id}`),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([403, error("You need the Manage Roles permission")]);
    }
    (await plain.get(roles)).expect(200, z.array(Role));
  });

  test("management of roles lets a manager act only below their highest role", async () => {
    const below = await createRole(owner, serverId, { position: 3 });
    const path = `${roles}/${below.id}`;
    const answers = [
      await manager.post(roles, { name: "a", position: 10 }),
      await manager.patch(`${roles}/${managerRole.id}`, { name: "a" }),
      await manager.patch(path, { position: 10 }),
      await manager.delete(`${roles}/${managerRole.id}`),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [403, error("Cannot create a role at or above your highest role position")],
      [403, error("Cannot edit a role at or above your highest role position")],
      [403, error("Cannot move a role to a position at or above your highest role position")],
      [403, error("Cannot delete a role at or above your highest role position")],
    ]);
    expect((await manager.patch(path, { position: 9 })).expect(200, Role).position).toBe(9);
    expect((await manager.delete(path)).status).toBe(204);
  });

  test("management of roles lets a manager grant only what they hold, and leave what a role has already", async () => {
    const cannot = [403, error("Cannot grant permissions you do not have")];
    const { KICK_MEMBERS, CREATE_INVITES } = permissionBits;
    const created = await manager.post(roles, { name: "a", permissions: KICK_MEMBERS });
    expect([created.status, created.body]).toEqual(cannot);
    (await manager.post(roles, { name: "a", permissions: CREATE_INVITES })).expect(201, Role);
    const kickers = await createRole(owner, serverId, { position: 2, permissions: KICK_MEMBERS });
    const path = `${roles}/${kickers.id}`;
    const more = await manager.patch(path, { permissions: KICK_MEMBERS | permissionBits.BAN_MEMBERS });
    expect([more.status, more.body]).toEqual(cannot);
    const same = await manager.patch(path, { name: "Kickers", permissions: KICK_MEMBERS | CREATE_INVITES });
    expect(same.expect(200, Role)).toMatchObject({ name: "Kickers", permissions: KICK_MEMBERS | CREATE_INVITES });
  });

  test("management of roles lets an administrator grant every bit, and binds them by the hierarchy all the same", async () => {
    const admin = await createClient(stack.edgeUrl).register();
    (await admin.post(`/servers/${serverId}/join`)).expect(201, z.object({}));
    const role = await createRole(owner, serverId, { position: 5, permissions: permissionBits.ADMINISTRATOR });
    await assignRole(owner, role, admin);
    const granted = await admin.post(roles, { name: "All", permissions: allPermissionBits });
    expect(granted.expect(201, Role)).toMatchObject({ permissions: allPermissionBits, position: 4 });
    expect((await admin.patch(`${roles}/${role.id}`, { name: "Me" })).status).toBe(403);
  });
});
