import { hasPermission, resolveChannelPermissions } from "@parley/permissions";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { channelViewRules, mayView } from "./view-rules.js";

const viewBit = 1;
const administratorBit = 8192;
const roleIds = ["role 1", "role 2", "role 3"];
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
          const channels = channelViewRules(
            ["channel"],
            list.map(({ role_id, user_id, allow, deny }) => ({
              channelId: "channel",
              roleId: role_id,
              userId: user_id,
              allow: (allow & viewBit) !== 0,
              deny: (deny & viewBit) !== 0,
            })),
          );
          const rules = { ownerId, administratorRoles: new Set(administratorRoles), channels };
          const rule = channels.get("channel") ?? null;
          expect(mayView(rules, rule, userId, roles)).toBe(hasPermission(bits, "VIEW_CHANNEL"));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("keep no rule for a channel that every member may view", () => {
    const channels = channelViewRules(
      ["open", "restricted"],
      [
        { channelId: "open", roleId: "role 1", userId: null, allow: true, deny: false },
        { channelId: "restricted", roleId: "role 1", userId: null, allow: false, deny: true },
      ],
    );
    expect(channels.get("open")).toBeNull();
    expect(channels.get("restricted")).not.toBeNull();
  });
});
