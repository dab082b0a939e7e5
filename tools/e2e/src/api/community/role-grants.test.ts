import { allPermissionBits, type Channel, errorBody as error, permissionBits, type Role } from "@parley/contracts";
import {
  assignRole,
  createClient,
  createRole,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const { ADMINISTRATOR, KICK_MEMBERS, MANAGE_CHANNELS, MANAGE_ROLES } = permissionBits;
/** The permissions of every member (docs/protocol/permissions.md#3.2). */
const defaultPermissions = 123;
/** The permissions of the moderator: server-wide rights, and two with which rights could be given away. */
const held = defaultPermissions | KICK_MEMBERS | MANAGE_CHANNELS | MANAGE_ROLES;

let stack: SharedStack;
let owner: UserClient;
let moderator: UserClient;
let plain: UserClient;
let serverId: string;
let channel: Channel;
/** Position 10. */
let moderators: Role;
/** Position 5; the moderator holds it too. */
let second: Role;
/** One role for each bit, and one with all bits, at position 1. */
const rolesByBits = new Map<number, Role>();

beforeAll(async () => {
  stack = await sharedStack();
  const fixture = await createServerWithMembers(createClient(stack.edgeUrl), 2);
  const [first, other] = fixture.members;
  [owner, moderator, plain] = [fixture.owner, first, other];
  ({ channel } = fixture);
  serverId = fixture.server.id;
  moderators = await createRole(owner, serverId, { permissions: held & ~defaultPermissions, position: 10 });
  second = await createRole(owner, serverId, { position: 5 });
  await assignRole(owner, moderators, moderator);
  await assignRole(owner, second, moderator);
  for (const permissions of [...Object.values(permissionBits), allPermissionBits]) {
    rolesByBits.set(permissions, await createRole(owner, serverId, { permissions, position: 1 }));
  }
});

const cannotGrant = error("Cannot grant permissions you do not have");
const path = (user: UserClient, role: Role) => `/servers/${serverId}/members/${user.user.id}/roles/${role.id}`;
const roleOf = (bits: number): Role => rolesByBits.get(bits) ?? moderators;
const matrix = [...Object.entries(permissionBits), ["every bit", allPermissionBits] as const].map(([name, bits]) => ({
  name,
  bits,
  isHeld: (bits & ~held) === 0,
}));

describe.each(matrix)("$name, held by the moderator: $isHeld", ({ bits, isHeld }) => {
  test("a permission is given with a role only by a member with it, to themselves and to others", async () => {
    for (const target of [moderator, plain]) {
      const answer = await moderator.put(path(target, roleOf(bits)));
      expect([answer.status, answer.body]).toEqual(isHeld ? [204, undefined] : [403, cannotGrant]);
      // Taking away is no grant: the role's bits play no part.
      await assignRole(owner, roleOf(bits), target);
      expect((await moderator.delete(path(target, roleOf(bits)))).status).toBe(204);
    }
    expect((await owner.put(path(plain, roleOf(bits)))).status).toBe(204);
    expect((await owner.delete(path(plain, roleOf(bits)))).status).toBe(204);
  });

  test("a permission is put into a role only by a member with it, also into one of their own", async () => {
    const created = await moderator.post(`/servers/${serverId}/roles`, { name: "New", permissions: bits });
    expect(created.status).toBe(isHeld ? 201 : 403);
    const changed = await moderator.patch(`/servers/${serverId}/roles/${second.id}`, { permissions: bits });
    expect(changed.status).toBe(isHeld ? 200 : 403);
    for (const answer of [created, changed]) if (!isHeld) expect(answer.body).toEqual(cannotGrant);
  });

  test("a permission is allowed in a channel only by a member with it there, for a role and for themselves", async () => {
    for (const target of [{ role_id: second.id }, { user_id: moderator.user.id }]) {
      const answer = await moderator.put(`/channels/${channel.id}/overrides`, { ...target, allow: bits, deny: 0 });
      expect(answer.status).toBe(isHeld ? 200 : 403);
      if (!isHeld) expect(answer.body).toEqual(cannotGrant);
    }
  });
});

test("the hierarchy is looked at before the bits", async () => {
  const high = await createRole(owner, serverId, { permissions: ADMINISTRATOR, position: 10 });
  const answer = await moderator.put(path(moderator, high));
  const text = "Cannot assign a role at or above your highest role position";
  expect([answer.status, answer.body]).toEqual([403, error(text)]);
});

test("a role may be moved below one's own, and is then no easier to get", async () => {
  const admins = roleOf(ADMINISTRATOR);
  for (const position of [9, 0]) {
    expect((await moderator.patch(`/servers/${serverId}/roles/${admins.id}`, { position })).status).toBe(200);
    const answer = await moderator.put(path(moderator, admins));
    expect([answer.status, answer.body]).toEqual([403, cannotGrant]);
  }
});

test("a right that an override gives in one channel is no right to give it in the server", async () => {
  const local = { user_id: moderator.user.id, allow: permissionBits.MANAGE_MESSAGES, deny: 0 };
  expect((await owner.put(`/channels/${channel.id}/overrides`, local)).status).toBe(200);
  const answer = await moderator.put(path(moderator, roleOf(permissionBits.MANAGE_MESSAGES)));
  expect([answer.status, answer.body]).toEqual([403, cannotGrant]);
});

test("a member who loses a right between two requests gives it no more", async () => {
  const kickers = roleOf(KICK_MEMBERS);
  await assignRole(moderator, kickers, plain);
  await owner.patch(`/servers/${serverId}/roles/${moderators.id}`, { permissions: MANAGE_ROLES });
  const answer = await moderator.put(path(plain, kickers));
  expect([answer.status, answer.body]).toEqual([403, cannotGrant]);
  const roles = (await plain.get(`/servers/${serverId}/roles`)).expect(200, z.array(z.object({ id: z.string() })));
  expect(roles.length).toBeGreaterThan(matrix.length);
});
