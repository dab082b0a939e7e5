import { hasPermission, resolveChannelPermissions } from "@parley/permissions";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayView, parseChannelRules } from "./view-rules.js";

const viewBit = 1;
const administratorBit = 8192;
const roleIds = ["role-1", "role-2", "role-3"];
const userIds = ["ann", "bob", "eve"];

const override = fc.record({
  role_id: fc.option(fc.constantFrom(...roleIds), { nil: null }),
  user_id: fc.constantFrom(...userIds),
  bits: fc.constantFrom({ allow: viewBit, deny: 0 }, { allow: 0, deny: viewBit }, { allow: 2, deny: 4 }),
});
const overrides = fc
  .uniqueArray(override, { selector: ({ role_id, user_id }) => role_id ?? user_id, maxLength: 6 })
  .map((list) =>
    list.map(({ role_id, user_id, bits }) => ({ role_id, user_id: role_id === null ? user_id : null, ...bits })),
  );

describe("view rules", () => {
  it("agree with the resolution of permissions for every member", () => {
    fc.assert(
      fc.property(
        overrides,
        fc.constantFrom(...userIds),
        fc.subarray(roleIds),
        fc.subarray(roleIds, { maxLength: 1 }),
        fc.constantFrom(...userIds),
        (list, userId, roles, administratorRoles, ownerId) => {
          const bits = resolveChannelPermissions({
            isOwner: userId === ownerId,
            userId,
            roles: roles.map((id) => ({ id, permissions: administratorRoles.includes(id) ? administratorBit : 0 })),
            overrides: list,
          });
          const channels = parseChannelRules(textOf("channel", list));
          const rules = { ownerId, administratorRoles: new Set(administratorRoles), channels };
          const rule = channels.get("channel") ?? null;
          expect(mayView(rules, rule, userId, roles)).toBe(hasPermission(bits, "VIEW_CHANNEL"));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("keep no rule for a channel that every member may view", () => {
    const channels = parseChannelRules("open,restricted rrole-1,another Rrole-1 urole-2");
    expect([...channels.keys()]).toEqual(["open", "restricted", "another"]);
    expect(channels.get("open")).toBeNull();
    expect(channels.get("restricted")).not.toBeNull();
  });
});

/** As the database writes the rules of one channel. */
function textOf(
  channel: string,
  overrides: readonly { role_id: string | null; user_id: string | null; allow: number; deny: number }[],
): string {
  const has = (bits: number) => (bits & viewBit) !== 0;
  if (!overrides.some(({ deny }) => has(deny))) return channel;
  const parts = overrides.flatMap(({ role_id, user_id, allow, deny }) => [
    ...(has(allow) ? [role_id === null ? `U${user_id}` : `R${role_id}`] : []),
    ...(has(deny) ? [role_id === null ? `u${user_id}` : `r${role_id}`] : []),
  ]);
  return [channel, ...parts].join(" ");
}
