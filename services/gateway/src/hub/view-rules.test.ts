import { describe, expect, test } from "vitest";
import { parseChannelRules } from "./view-rules.js";

describe("the view rules of a server", () => {
  test("keep no rule for a channel that every member may view", () => {
    const channels = parseChannelRules("open,restricted rrole-1,another Rrole-1 urole-2");
    expect([...channels.keys()]).toEqual(["open", "restricted", "another"]);
    expect(channels.get("open")).toBeNull();
    expect(channels.get("restricted")).not.toBeNull();
  });

  test("tell roles from users and allowing from denying overrides", () => {
    const rule = parseChannelRules("first,second Rrole-1 rrole-2 rrole-3 Uann ubob").get("second");
    const expected = {
      allowedRoles: new Set(["role-1"]),
      deniedRoles: new Set(["role-2", "role-3"]),
      allowedUsers: new Set(["ann"]),
      deniedUsers: new Set(["bob"]),
    };
    expect(rule?.overrides).toEqual(expected);
    // The second reading answers from memory.
    expect(rule?.overrides).toEqual(expected);
    expect(parseChannelRules(null).size).toBe(0);
  });
});
