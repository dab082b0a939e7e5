import {
  allRights,
  type PermissionName,
  permissionBits,
  type RightName,
  rightBits,
  rightNames,
} from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { defaultRights, hasRight, resolveRights } from "./rights.js";

const everyone = { rights: defaultRights };
const plain = { isOwner: false, permissions: 123, everyone, roles: [] };
const namesOf = (member: Parameters<typeof resolveRights>[0]) => {
  const rights = resolveRights(member);
  return rightNames.filter((name) => hasRight(rights, name));
};

describe("the rights of a member", () => {
  test("members of a new server may mention everyone and use apps, and nothing else", () => {
    expect(namesOf(plain)).toEqual(["mention_everyone", "use_apps"]);
  });

  test("the owner holds all rights, whatever the everyone role holds", () => {
    expect(resolveRights({ ...plain, isOwner: true, everyone: { rights: 0 } })).toBe(allRights);
  });

  test("roles add rights, and what the everyone role no longer holds is gone", () => {
    const roles = [{ rights: rightBits.review_reports }, { rights: rightBits.view_audit_log }];
    expect(namesOf({ ...plain, everyone: { rights: 0 }, roles })).toEqual(["review_reports", "view_audit_log"]);
  });

  test.each<[PermissionName, readonly RightName[]]>([
    ["ADMINISTRATOR", ["mention_everyone", "bypass_slow_mode", "review_reports", "manage_raids", "use_apps"]],
    ["MANAGE_MESSAGES", ["bypass_slow_mode"]],
    ["MANAGE_CHANNELS", ["bypass_slow_mode"]],
    ["BAN_MEMBERS", ["manage_raids"]],
    ["MANAGE_ROLES", []],
  ])("%s implies the rights %j", (permission, expected) => {
    const permissions = permissionBits[permission];
    expect(namesOf({ ...plain, everyone: { rights: 0 }, permissions })).toEqual(expected);
  });
});
