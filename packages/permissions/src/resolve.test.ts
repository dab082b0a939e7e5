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
const everyone = { id: "server", permissions: defaultPermissions };
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

  test("the permissions of a new server's everyone role are 123", () => expect(defaultPermissions).toBe(123));
});

describe("resolveServerPermissions", () => {
  test.each([
    ["a member without roles has exactly what the everyone role has", false, [], 123],
    ["the owner has everything", true, [], 32767],
    ["roles add to the everyone role", false, [bit.KICK_MEMBERS, bit.MANAGE_ROLES], 123 | 256 | 2048],
    ["an empty role adds nothing", false, [0], 123],
    ["ADMINISTRATOR in any role gives everything", false, [0, bit.ADMINISTRATOR], 32767],
    ["the reserved MANAGE_SERVER gives only itself", false, [bit.MANAGE_SERVER], 123 | 4096],
  ])("the permissions of a server are resolved: %s", (_text, isOwner, rolePermissions, expected) => {
    const roles = rolePermissions.map((permissions) => ({ permissions }));
    expect(resolveServerPermissions({ isOwner, everyone, roles })).toBe(expected);
  });

  test("an everyone role that holds less takes it from all but the owner and those whose roles give it", () => {
    const readers = { permissions: bit.VIEW_CHANNEL };
    const resolve = (isOwner: boolean, permissions: number) =>
      resolveServerPermissions({ isOwner, everyone: readers, roles: [{ permissions }] });
    expect([resolve(false, 0), resolve(false, bit.SEND_MESSAGES), resolve(true, 0)]).toEqual([1, 3, allPermissionBits]);
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
    [
      "an override of the everyone role denies",
      false,
      [plain],
      [roleOverride("server", 0, bit.SEND_MESSAGES)],
      123 & ~2,
    ],
    ["an override of the everyone role allows", false, [], [roleOverride("server", bit.MANAGE_MESSAGES, 0)], 123 | 4],
    [
      "the override of a role beats that of the everyone role: private to the role",
      false,
      [plain],
      [roleOverride("server", 0, bit.VIEW_CHANNEL), roleOverride("r1", bit.VIEW_CHANNEL, 0)],
      123,
    ],
    [
      "a channel that is private to a role shows nothing to others",
      false,
      [other],
      [roleOverride("server", 0, 1), roleOverride("r1", 1, 0)],
      0,
    ],
    [
      "the user override beats that of the everyone role",
      false,
      [],
      [userOverride(user, bit.VIEW_CHANNEL, 0), roleOverride("server", 0, bit.VIEW_CHANNEL)],
      123,
    ],
    ["the override of the everyone role takes what a role gave", false, [other], [roleOverride("server", 0, 4)], 123],
    ["MANAGE_CHANNELS may be given by an override", false, [plain], [roleOverride("r1", 1024, 0)], 123 | 1024],
  ])("the permissions of a channel are resolved: %s", (_text, isOwner, roles, overrides, expected) => {
    expect(resolveChannelPermissions({ isOwner, userId: user, everyone, roles, overrides })).toBe(expected);
  });
});

describe("the resolution of permissions", () => {
  const anyBits = fc.integer({ min: 0, max: allPermissionBits });
  const roleId = fc.constantFrom("r1", "r2", "r3");
  const override = fc.oneof(
    fc.record({
      role_id: fc.oneof(roleId, fc.constant("server")),
      user_id: fc.constant(null),
      allow: anyBits,
      deny: anyBits,
    }),
    fc.record({ role_id: fc.constant(null), user_id: fc.constantFrom(user, "u2"), allow: anyBits, deny: anyBits }),
  );
  const member = fc.record({
    isOwner: fc.boolean(),
    userId: fc.constant(user),
    everyone: fc.record({ id: fc.constant("server"), permissions: anyBits.map((bits) => bits & ~bit.ADMINISTRATOR) }),
    roles: fc.uniqueArray(fc.record({ id: roleId, permissions: fc.integer({ min: 0, max: 2 ** 31 - 1 }) }), {
      selector: ({ id }) => id,
    }),
    overrides: fc
      .uniqueArray(override, { selector: (rule) => `${rule.role_id}/${rule.user_id}`, maxLength: 6 })
      .map((rules) => rules.map((rule) => ({ ...rule, deny: rule.deny & ~rule.allow }))),
  });
  type Member = Parameters<typeof resolveChannelPermissions>[0];

  /** The formula of docs/protocol/permissions.md#3.2 for one permission, as questions in the order of their weight. */
  function grants({ isOwner, everyone, roles, overrides }: Member, name: PermissionName): boolean {
    const administers = roles.some(({ permissions }) => hasPermission(permissions, "ADMINISTRATOR"));
    if (isOwner || administers) return true;
    const said = (rules: readonly OverrideRule[]) => {
      if (rules.some(({ allow }) => hasPermission(allow, name))) return true;
      return rules.some(({ deny }) => hasPermission(deny, name)) ? false : null;
    };
    const held = new Set(roles.map(({ id }) => id));
    const counts = name === "MANAGE_CHANNELS" || permissionBits[name] <= permissionBits.SPEAK;
    const rules = counts ? overrides : [];
    return (
      said(rules.filter(({ user_id }) => user_id === user)) ??
      said(rules.filter(({ role_id }) => role_id !== null && held.has(role_id))) ??
      said(rules.filter(({ role_id }) => role_id === "server")) ??
      [everyone, ...roles].some(({ permissions }) => hasPermission(permissions, name))
    );
  }
  const names: readonly PermissionName[] = [
    "VIEW_CHANNEL",
    "SEND_MESSAGES",
    "MANAGE_MESSAGES",
    "ATTACH_FILES",
    "ADD_REACTIONS",
    "CONNECT_VOICE",
    "SPEAK",
    "MUTE_MEMBERS",
    "KICK_MEMBERS",
    "BAN_MEMBERS",
    "MANAGE_CHANNELS",
    "MANAGE_ROLES",
    "MANAGE_SERVER",
    "ADMINISTRATOR",
    "CREATE_INVITES",
  ];

  test("the resolution of permissions asks the user's override, then the roles', the everyone role's, and the roles themselves", () =>
    fc.assert(
      fc.property(member, (someone) => {
        const bits = resolveChannelPermissions(someone);
        const expected = names.filter((name) => grants(someone, name));
        expect(names.filter((name) => hasPermission(bits, name))).toEqual(
          expected.includes("VIEW_CHANNEL") ? expected : [],
        );
        expect(bits & ~allPermissionBits).toBe(0);
        const inServer = resolveServerPermissions(someone);
        expect(names.filter((name) => hasPermission(inServer, name))).toEqual(
          names.filter((name) => grants({ ...someone, overrides: [] }, name)),
        );
        expect(inServer & ~allPermissionBits).toBe(0);
      }),
      { numRuns: 2_000 },
    ));

  test("the resolution of permissions depends neither on the order of roles nor on that of overrides", () =>
    fc.assert(
      fc.property(member, (forward) => {
        const backward = { ...forward, roles: forward.roles.toReversed(), overrides: forward.overrides.toReversed() };
        expect(resolveChannelPermissions(backward)).toBe(resolveChannelPermissions(forward));
      }),
    ));
});
