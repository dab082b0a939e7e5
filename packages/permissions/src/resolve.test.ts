import { allPermissionBits, type PermissionName, permissionBits } from "@parley/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  defaultPermissions,
  hasPermission,
  type OverrideRule,
  resolveChannelPermissions,
  resolveServerPermissions,
} from "./resolve.js";

const bit = permissionBits;
const user = "u1";
const roleOverride = (role_id: string, allow: number, deny: number): OverrideRule => ({
  role_id,
  user_id: null,
  allow,
  deny,
});
const userOverride = (user_id: string, allow: number, deny: number): OverrideRule => ({
  role_id: null,
  user_id,
  allow,
  deny,
});

describe("permission bits", () => {
  test.each<[PermissionName, number]>([
    ["VIEW_CHANNEL", 1],
    ["SEND_MESSAGES", 2],
    ["MANAGE_MESSAGES", 4],
    ["ATTACH_FILES", 8],
    ["ADD_REACTIONS", 16],
    ["CONNECT_VOICE", 32],
    ["SPEAK", 64],
    ["MUTE_MEMBERS", 128],
    ["KICK_MEMBERS", 256],
    ["BAN_MEMBERS", 512],
    ["MANAGE_CHANNELS", 1024],
    ["MANAGE_ROLES", 2048],
    ["MANAGE_SERVER", 4096],
    ["ADMINISTRATOR", 8192],
    ["CREATE_INVITES", 16384],
  ])("the permission %s is %d and nothing else", (name, value) => {
    expect(hasPermission(value, name)).toBe(true);
    expect(hasPermission(allPermissionBits & ~value, name)).toBe(false);
  });

  test("the default permissions are 123", () => expect(defaultPermissions).toBe(123));
});

describe("resolveServerPermissions", () => {
  test.each([
    ["a member without roles has exactly the default", false, [], 123],
    ["the owner has everything", true, [], 32767],
    ["roles add to the default", false, [bit.KICK_MEMBERS, bit.MANAGE_ROLES], 123 | 256 | 2048],
    ["an empty role adds nothing", false, [0], 123],
    ["ADMINISTRATOR in any role gives everything", false, [0, bit.ADMINISTRATOR], 32767],
    ["the reserved MANAGE_SERVER gives only itself", false, [bit.MANAGE_SERVER], 123 | 4096],
  ])("the permissions of a server are resolved: %s", (_text, isOwner, rolePermissions, expected) => {
    expect(resolveServerPermissions({ isOwner, rolePermissions })).toBe(expected);
  });
});

describe("resolveChannelPermissions", () => {
  const plain = { id: "r1", permissions: 0 };
  const other = { id: "r2", permissions: bit.MANAGE_MESSAGES };
  const admin = { id: "ra", permissions: bit.ADMINISTRATOR };
  const denyAll = [roleOverride("r1", 0, 32767), userOverride(user, 0, 32767)];

  test.each([
    ["no overrides: the server's bits", false, [other], [], 123 | 4],
    ["the owner passes every override", true, [plain], denyAll, 32767],
    ["an administrator passes every override", false, [plain, admin], denyAll, 32767],
    ["a role override denies", false, [plain], [roleOverride("r1", 0, bit.SEND_MESSAGES)], 123 & ~2],
    ["a role override allows", false, [plain], [roleOverride("r1", bit.MANAGE_MESSAGES, 0)], 123 | 4],
    [
      "among roles allow beats deny",
      false,
      [plain, other],
      [roleOverride("r1", 0, bit.SEND_MESSAGES), roleOverride("r2", bit.SEND_MESSAGES, 0)],
      123 | 4,
    ],
    ["an override of a role the member lacks is skipped", false, [other], [roleOverride("r1", 0, 127)], 123 | 4],
    ["an override of another user is skipped", false, [], [userOverride("u2", 4, 1)], 123],
    [
      "the user override beats role overrides, denying",
      false,
      [plain],
      [userOverride(user, 0, bit.ATTACH_FILES), roleOverride("r1", bit.ATTACH_FILES, 0)],
      123 & ~8,
    ],
    [
      "the user override beats role overrides, allowing",
      false,
      [plain],
      [userOverride(user, bit.VIEW_CHANNEL, 0), roleOverride("r1", 0, bit.VIEW_CHANNEL)],
      123,
    ],
    ["without VIEW_CHANNEL nothing is left", false, [other], [roleOverride("r2", 1024, 1)], 0],
    ["an override takes what a role gave", false, [other], [roleOverride("r2", 0, 4)], 123],
    ["ADMINISTRATOR inside an override means nothing", false, [plain], [roleOverride("r1", 8192, 0)], 123],
    ["server-wide bits inside an override mean nothing", false, [plain], [userOverride(user, 0x5b80, 0)], 123],
    [
      "server-wide bits cannot be denied by an override",
      false,
      [{ id: "r1", permissions: 256 }],
      [roleOverride("r1", 0, 256)],
      123 | 256,
    ],
    ["MANAGE_CHANNELS may be given by an override", false, [plain], [roleOverride("r1", 1024, 0)], 123 | 1024],
  ])("the permissions of a channel are resolved: %s", (_text, isOwner, roles, overrides, expected) => {
    expect(resolveChannelPermissions({ isOwner, userId: user, roles, overrides })).toBe(expected);
  });
});

describe("the resolution of permissions", () => {
  const anyBits = fc.integer({ min: 0, max: allPermissionBits });
  const roleId = fc.constantFrom("r1", "r2", "r3");
  const roles = fc.uniqueArray(fc.record({ id: roleId, permissions: anyBits }), { selector: (role) => role.id });
  const override = fc.oneof(
    fc.record({ role_id: roleId, user_id: fc.constant(null), allow: anyBits, deny: anyBits }),
    fc.record({ role_id: fc.constant(null), user_id: fc.constantFrom(user, "u2"), allow: anyBits, deny: anyBits }),
  );
  const overrides = fc
    .uniqueArray(override, { selector: (rule) => `${rule.role_id}/${rule.user_id}` })
    .map((rules) => rules.map((rule) => ({ ...rule, deny: rule.deny & ~rule.allow })));
  const isAdmin = (held: { permissions: number }[]) =>
    held.some((role) => hasPermission(role.permissions, "ADMINISTRATOR"));

  test("never denies anything to the owner", () =>
    fc.assert(
      fc.property(roles, overrides, (held, rules) => {
        const member = { isOwner: true, userId: user, roles: held, overrides: rules };
        expect(resolveChannelPermissions(member)).toBe(allPermissionBits);
      }),
    ));

  test("the resolution of permissions gives VIEW_CHANNEL or 0, and never bits above 14", () =>
    fc.assert(
      fc.property(
        fc.boolean(),
        roles,
        overrides,
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        (isOwner, held, rules, wild) => {
          const stray = [...held, { id: "r9", permissions: wild }];
          const bits = resolveChannelPermissions({ isOwner, userId: user, roles: stray, overrides: rules });
          expect(bits === 0 || hasPermission(bits, "VIEW_CHANNEL")).toBe(true);
          expect(bits & ~allPermissionBits).toBe(0);
          const server = resolveServerPermissions({ isOwner, rolePermissions: stray.map((role) => role.permissions) });
          expect(server & ~allPermissionBits).toBe(0);
        },
      ),
    ));

  test("the resolution of permissions depends neither on the order of roles nor on that of overrides", () =>
    fc.assert(
      fc.property(roles, overrides, (held, rules) => {
        const forward = { isOwner: false, userId: user, roles: held, overrides: rules };
        const backward = { ...forward, roles: held.toReversed(), overrides: rules.toReversed() };
        expect(resolveChannelPermissions(backward)).toBe(resolveChannelPermissions(forward));
      }),
    ));

  test("the resolution of permissions follows the user's own override of VIEW_CHANNEL before all others", () =>
    fc.assert(
      fc.property(roles, overrides, fc.boolean(), (held, rules, allowed) => {
        fc.pre(!isAdmin(held));
        const own = userOverride(user, allowed ? bit.VIEW_CHANNEL : 0, allowed ? 0 : bit.VIEW_CHANNEL);
        const all = [...rules.filter((rule) => rule.user_id !== user), own];
        const bits = resolveChannelPermissions({ isOwner: false, userId: user, roles: held, overrides: all });
        expect(hasPermission(bits, "VIEW_CHANNEL")).toBe(allowed);
      }),
    ));

  test("the resolution of permissions shows a channel whose overrides deny no view to whoever may view the server's channels", () =>
    fc.assert(
      fc.property(roles, overrides, (held, rules) => {
        fc.pre(rules.every((rule) => !hasPermission(rule.deny, "VIEW_CHANNEL")));
        const bits = resolveChannelPermissions({ isOwner: false, userId: user, roles: held, overrides: rules });
        expect(hasPermission(bits, "VIEW_CHANNEL")).toBe(true);
      }),
    ));

  test("the resolution of permissions follows the formula of the contract bit by bit", () =>
    fc.assert(
      fc.property(roles, overrides, fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 1024), (held, rules, one) => {
        fc.pre(!isAdmin(held));
        const bits = resolveChannelPermissions({ isOwner: false, userId: user, roles: held, overrides: rules });
        const mine = rules.filter((rule) => held.some((role) => role.id === rule.role_id));
        const own = rules.find((rule) => rule.user_id === user);
        const has = (value: number) => (value & one) !== 0;
        const byServer = has(defaultPermissions) || held.some((role) => has(role.permissions));
        const byRoles = mine.some((rule) => has(rule.allow)) || (byServer && !mine.some((rule) => has(rule.deny)));
        const expected = own !== undefined && (has(own.allow) || has(own.deny)) ? has(own.allow) : byRoles;
        if (bits === 0) return;
        expect(has(bits)).toBe(expected);
      }),
    ));
});
