import { permissionBits } from "@parley/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasPermission, type OverrideRule, resolveChannelPermissions } from "./resolve.js";
import { mayViewChannel, type ViewOverrides } from "./view-rules.js";

const { VIEW_CHANNEL, ADMINISTRATOR } = permissionBits;
const roleIds = ["role-1", "role-2", "role-3"];
const userIds = ["ann", "bob", "eve"];

const override = fc.record({
  role_id: fc.option(fc.constantFrom(...roleIds, "server"), { nil: null }),
  user_id: fc.constantFrom(...userIds),
  bits: fc.constantFrom({ allow: VIEW_CHANNEL, deny: 0 }, { allow: 0, deny: VIEW_CHANNEL }, { allow: 2, deny: 4 }),
});
const overrides = fc
  .uniqueArray(override, { selector: ({ role_id, user_id }) => role_id ?? user_id, maxLength: 6 })
  .map((list) =>
    list.map(({ role_id, user_id, bits }) => ({ role_id, user_id: role_id === null ? user_id : null, ...bits })),
  );

describe("mayViewChannel", () => {
  test("mayViewChannel agrees with the resolution of permissions for every member", () => {
    fc.assert(
      fc.property(
        overrides,
        fc.constantFrom(...userIds),
        fc.subarray(roleIds),
        fc.subarray(roleIds, { maxLength: 1 }),
        fc.subarray(roleIds),
        fc.constantFrom(...userIds),
        fc.boolean(),
        (list, userId, roles, administratorRoles, viewingRoles, ownerId, everyoneViews) => {
          const permissionsOf = (id: string) =>
            (administratorRoles.includes(id) ? ADMINISTRATOR : 0) | (viewingRoles.includes(id) ? VIEW_CHANNEL : 0);
          const bits = resolveChannelPermissions({
            isOwner: userId === ownerId,
            userId,
            everyone: { id: "server", permissions: everyoneViews ? VIEW_CHANNEL : 0 },
            roles: roles.map((id) => ({ id, permissions: permissionsOf(id) })),
            overrides: list,
          });
          const server = {
            ownerId,
            administratorRoles: new Set(administratorRoles),
            viewingRoles: new Set(viewingRoles),
          };
          const channel = { overrides: viewOverridesOf(list, everyoneViews) };
          const expected = hasPermission(bits, "VIEW_CHANNEL");
          expect(mayViewChannel(server, channel, { id: userId, roles })).toBe(expected);
          // Only a denial takes the bit away: without one, the caller may leave the channel's overrides out.
          if (everyoneViews && list.every(({ deny }) => !hasPermission(deny, "VIEW_CHANNEL")))
            expect(expected).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test("mayViewChannel lets every member view a channel without denying overrides", () => {
    const server = { ownerId: "ann", administratorRoles: new Set<string>(), viewingRoles: new Set<string>() };
    expect(mayViewChannel(server, null, { id: "bob", roles: [] })).toBe(true);
  });
});

function viewOverridesOf(list: readonly OverrideRule[], everyoneViews: boolean): ViewOverrides {
  const named = (key: "allow" | "deny", target: "role_id" | "user_id") =>
    new Set(list.filter((rule) => hasPermission(rule[key], "VIEW_CHANNEL")).flatMap((rule) => rule[target] ?? []));
  const denied = named("deny", "role_id").has("server");
  const allowed = named("allow", "role_id").has("server") || everyoneViews;
  return {
    allowedRoles: named("allow", "role_id"),
    deniedRoles: named("deny", "role_id"),
    allowedUsers: named("allow", "user_id"),
    deniedUsers: named("deny", "user_id"),
    everyone: denied ? "denied" : allowed ? "allowed" : "by roles",
  };
}
