import { permissionBits, type RightName, rightBits } from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { LoadedRules } from "./loaded-rules.js";
import { parseViewRules } from "./view-rules.js";

const row = {
  owner_id: "ann",
  administrator_roles: [],
  viewing_roles: [],
  everyone_permissions: 0,
  everyone_rights: 0,
  role_rights: [],
  channels: null,
};

const parseChannelRules = (channels: string | null) => parseViewRules({ ...row, channels }).channels;

describe("the view rules of a server", () => {
  test("keep no rule for a channel that every member may view", () => {
    const channels = parseChannelRules("open,restricted rrole-1,another Rrole-1 urole-2");
    expect([...channels.keys()]).toEqual(["open", "restricted", "another"]);
    expect(channels.get("open")).toBeNull();
    expect(channels.get("restricted")).not.toBeNull();
  });

  test("distinguish roles from users and allowing from denying overrides", () => {
    const rule = parseChannelRules("first,second Rrole-1 rrole-2 rrole-3 Uann ubob").get("second");
    const expected = {
      allowedRoles: new Set(["role-1"]),
      deniedRoles: new Set(["role-2", "role-3"]),
      allowedUsers: new Set(["ann"]),
      deniedUsers: new Set(["bob"]),
      everyone: "allowed",
    };
    expect(rule?.overrides).toEqual(expected);
    // The second reading answers from memory.
    expect(rule?.overrides).toEqual(expected);
    expect(parseChannelRules(null).size).toBe(0);
  });

  test("contain the everyone role's contribution, its override before the role itself", () => {
    const channels = parseChannelRules("role b,denied b e,allowed b E urole-2,taken e Rrole-1");
    const given = [...channels].map(([id, rule]) => [id, rule?.overrides.everyone]);
    expect(Object.fromEntries(given)).toEqual({
      role: "by roles",
      denied: "denied",
      allowed: "allowed",
      taken: "denied",
    });
  });
});

describe("the holders of a right", () => {
  test("are the owner, those whose roles or permissions give it, and everybody by the everyone role", () => {
    const { ADMINISTRATOR, BAN_MEMBERS } = permissionBits;
    const rules = new LoadedRules();
    const roles = [`reviewer 0 ${rightBits.review_reports}`, `admin ${ADMINISTRATOR} 0`, `banning ${BAN_MEMBERS} 0`];
    rules.replace(parseViewRules({ ...row, role_rights: roles }), null);
    const holders = (right: RightName) =>
      ["reviewer", "admin", "banning", "unknown"].filter((role) => rules.mayRead(right, { id: "bob", roles: [role] }));
    expect(holders("review_reports")).toEqual(["reviewer", "admin"]);
    expect(holders("manage_raids")).toEqual(["admin", "banning"]);
    expect(holders("manage_automod")).toEqual([]);
    expect(rules.mayRead("manage_automod", { id: "ann", roles: [] })).toBe(true);
    rules.replace(parseViewRules({ ...row, everyone_rights: rightBits.review_reports }), null);
    expect(holders("review_reports")).toEqual(["reviewer", "admin", "banning", "unknown"]);
    expect(holders("view_audit_log")).toEqual([]);
  });
});
