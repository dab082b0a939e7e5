import { permissionBits } from "@parley/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canActOnRole, canGrant, defaultRolePosition, highestRolePosition } from "./role-hierarchy.js";

const member = (...rolePositions: number[]) => ({ isOwner: false, rolePositions });
const owner = { isOwner: true, rolePositions: [] };

describe("role hierarchy", () => {
  test.each([
    ["no roles", [], 0],
    ["one role", [3], 3],
    ["several roles", [2, 7, 5], 7],
  ])("finds the highest position of %s", (_text, positions, expected) => {
    expect(highestRolePosition(positions)).toBe(expected);
  });

  test.each([
    ["the owner acts on any role", owner, 99, true],
    ["a member acts strictly below their highest role", member(2, 5), 4, true],
    ["not on a role at the same position", member(2, 5), 5, false],
    ["not above", member(2, 5), 6, false],
    ["a member without roles acts on none, not even position 0", member(), 0, false],
    ["position 0 is below position 1", member(1), 0, true],
  ])("the role hierarchy decides who acts on a role: %s", (_text, actor, position, expected) => {
    expect(canActOnRole(actor, position)).toBe(expected);
  });

  test.each([
    ["the owner's first role is 1", owner, [], 1],
    ["the owner's next role is above all", owner, [1, 4, 2], 5],
    ["others get just below their own highest", member(5, 3), [1, 9], 4],
    ["never below 0", member(), [1, 9], 0],
  ])("the default position of a role: %s", (_text, actor, existing, expected) => {
    expect(defaultRolePosition(actor, existing)).toBe(expected);
  });

  test("a default position is one that the actor may act on, unless they may act on none", () =>
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1 }), (positions) => {
        const actor = member(...positions);
        fc.pre(highestRolePosition(positions) > 0);
        expect(canActOnRole(actor, defaultRolePosition(actor, positions))).toBe(true);
      }),
    ));

  test.each([
    [
      "bits that the actor holds may be granted",
      123 | permissionBits.KICK_MEMBERS,
      permissionBits.KICK_MEMBERS | 1,
      true,
    ],
    ["no bit at all may be granted", 0, 0, true],
    ["a bit that the actor lacks may not be granted", 123, permissionBits.KICK_MEMBERS, false],
    ["ADMINISTRATOR may not be granted without holding it", 123, permissionBits.ADMINISTRATOR, false],
    ["everything may be granted by holders of everything", 32767, 32767, true],
  ])("whether a member may grant permissions: %s", (_text, held, granted, expected) =>
    expect(canGrant(held, granted)).toBe(expected),
  );
});
