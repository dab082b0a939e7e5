import { randomUUID } from "node:crypto";
import { AuditLogEntry, errorBody as error, JoinedServer, Member, permissionBits, type Role } from "@parley/contracts";
import {
  assignRole,
  connectWitnesses,
  createClient,
  createRole,
  createServer,
  createServerWithMembers,
  joinServer,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Witnesses,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
let manager: UserClient;
let plain: UserClient;
let stranger: UserClient;
let witnesses: Witnesses;
let serverId: string;
/** Position 10. */
let managerRole: Role;
/** Position 1. */
let helper: Role;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, manager, plain] = [fixture.owner, first, second];
  stranger = await client.register();
  serverId = fixture.server.id;
  helper = await createRole(owner, serverId, { name: "Helper", color: "#112233" });
  managerRole = await createRole(owner, serverId, { permissions: permissionBits.MANAGE_ROLES, position: 10 });
  await assignRole(owner, managerRole, manager);
  witnesses = await connectWitnesses(stack, { insiders: [owner, plain], outsiders: [stranger] });
});
afterAll(async () => {
  witnesses?.close();
});

const path = (user: UserClient, role: Role) => `/servers/${serverId}/members/${user.user.id}/roles/${role.id}`;
const audit = async () =>
  (await owner.get(`/servers/${serverId}/audit-logs?target_type=user`)).expect(200, z.array(AuditLogEntry.strict()));
const change = (user: UserClient, role: Role) => ({
  server_id: serverId,
  user_id: user.user.id,
  role_id: role.id,
  role_name: role.name,
  role_color: role.color,
});

async function rolesOf(user: UserClient): Promise<string[] | undefined> {
  const members = (await owner.get(`/servers/${serverId}/members`)).expect(200, z.array(Member));
  return members.find(({ user_id }) => user_id === user.user.id)?.roles.map(({ id }) => id);
}

describe("assigning and removing roles", () => {
  test("reach members and the audit log once, whether requested once or often", async () => {
    const before = (await audit()).length;
    const answers = await Promise.all(Array.from({ length: 6 }, () => manager.put(path(plain, helper))));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204));
    expect(await rolesOf(plain)).toEqual([helper.id]);
    const removals = await Promise.all(Array.from({ length: 6 }, () => manager.delete(path(plain, helper))));
    expect(removals.map(({ status }) => status)).toEqual(Array(6).fill(204));
    expect(await rolesOf(plain)).toEqual([]);
    await witnesses.expectEvents(
      ["MEMBER_ROLE_ADD", change(plain, helper)],
      ["MEMBER_ROLE_REMOVE", change(plain, helper)],
    );
    const entries = (await audit()).slice(0, -before || undefined);
    const told = {
      actor_id: manager.user.id,
      target_type: "user",
      target_id: plain.user.id,
      details: { role_id: helper.id, role_name: "Helper" },
    };
    expect(entries).toEqual([
      expect.objectContaining({ ...told, action: "member_role_remove" }),
      expect.objectContaining({ ...told, action: "member_role_add" }),
    ]);
  });

  test("a role counts from the answer on", async () => {
    const inviters = await createRole(owner, serverId, { position: 2, permissions: permissionBits.CREATE_INVITES });
    const invites = `/servers/${serverId}/invites`;
    expect((await plain.get(invites)).status).toBe(403);
    await assignRole(owner, inviters, plain);
    expect((await plain.get(invites)).status).toBe(200);
    expect((await owner.delete(path(plain, inviters))).status).toBe(204);
    expect((await plain.get(invites)).status).toBe(403);
    await witnesses.expectEvents(
      ["ROLE_CREATE", inviters],
      ["MEMBER_ROLE_ADD", change(plain, inviters)],
      ["MEMBER_ROLE_REMOVE", change(plain, inviters)],
    );
  });

  test("the owner may take a role from themselves, nobody else may", async () => {
    await assignRole(manager, helper, owner);
    const refused = await manager.delete(path(owner, helper));
    expect([refused.status, refused.body]).toEqual([403, error("Cannot remove roles from the server owner")]);
    expect((await owner.delete(path(owner, helper))).status).toBe(204);
    expect(await rolesOf(owner)).toEqual([]);
    await witnesses.expectEvents(
      ["MEMBER_ROLE_ADD", change(owner, helper)],
      ["MEMBER_ROLE_REMOVE", change(owner, helper)],
    );
  });
});

describe("assigning and removing roles is refused", () => {
  test("assigning and removing roles is refused for roles at or above the caller's highest", async () => {
    const assigned = await manager.put(path(plain, managerRole));
    const text = "Cannot assign a role at or above your highest role position";
    expect([assigned.status, assigned.body]).toEqual([403, error(text)]);
    const removed = await manager.delete(path(manager, managerRole));
    expect([removed.status, removed.body]).toEqual([
      403,
      error("Cannot remove a role at or above your highest role position"),
    ]);
  });

  test("assigning and removing roles is refused to members without the right, but a missing role or target is 404 to these as well", async () => {
    const founder = await client.register();
    const foreign = await createRole(founder, (await createServer(founder)).id);
    const ghost = { ...helper, id: randomUUID() };
    for (const method of ["PUT", "DELETE"]) {
      const answer = async (by: UserClient, user: UserClient, role: Role) => {
        const { status, body } = await by.send(method, path(user, role));
        return [status, body];
      };
      expect(await answer(plain, plain, helper)).toEqual([403, error("You need the Manage Roles permission")]);
      expect(await answer(plain, plain, foreign)).toEqual([404, error("Role not found")]);
      expect(await answer(plain, plain, ghost)).toEqual([404, error("Role not found")]);
      expect(await answer(plain, stranger, helper)).toEqual([404, error("Server not found")]);
      expect(await answer(stranger, plain, helper)).toEqual([404, error("Server not found")]);
      expect(await answer(owner, plain, { ...helper, id: "x" })).toEqual([400, error("Invalid identifier")]);
    }
  });
});

describe("at the same time", () => {
  test("a role deleted while it is assigned is gone for good, and every answer is one of the contract", async () => {
    for (let round = 0; round < 5; round += 1) {
      const role = await createRole(owner, serverId, { position: 3 });
      const roles = `/servers/${serverId}/roles/${role.id}`;
      const [deleted, ...assigned] = await Promise.all([
        owner.delete(roles),
        manager.put(path(plain, role)),
        owner.put(path(manager, role)),
        owner.put(path(owner, role)),
      ]);
      expect(deleted.status).toBe(204);
      for (const { status, body } of assigned) {
        if (status !== 204) expect([status, body]).toEqual([404, error("Role not found")]);
      }
      expect(await rolesOf(plain)).toEqual([]);
    }
  });

  test("a member who leaves while they get a role ends without membership and role", async () => {
    for (let round = 0; round < 8; round += 1) {
      const guest = await client.register();
      await joinServer(guest, serverId);
      const [left, ...assigned] = await Promise.all([
        guest.delete(`/servers/${serverId}/leave`),
        owner.put(path(guest, helper)),
        manager.put(path(guest, helper)),
      ]);
      expect(left.status).toBe(204);
      for (const { status, body } of assigned) {
        if (status !== 204) expect([status, body]).toEqual([404, error("Server not found")]);
      }
      expect(await rolesOf(guest)).toBeUndefined();
      (await guest.post(`/servers/${serverId}/join`)).expect(201, JoinedServer);
      expect(await rolesOf(guest)).toEqual([]);
    }
  });
});
