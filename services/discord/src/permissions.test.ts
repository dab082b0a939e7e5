import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { neededPermissions } from "./permissions.js";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES, MUTE_MEMBERS, KICK_MEMBERS, ADMINISTRATOR } = permissionBits;

test.each([
  ["a bit of ours", [13], MANAGE_MESSAGES],
  ["several", [13, 1], MANAGE_MESSAGES | KICK_MEMBERS],
  ["the other bit of a permission", [22], MUTE_MEMBERS],
  ["bits that go with others", [16, 31], VIEW_CHANNEL | SEND_MESSAGES],
  ["the bit of other people's names", [27], KICK_MEMBERS],
  ["none", [], ADMINISTRATOR],
  ["a bit that is a right", [7], ADMINISTRATOR],
  ["a bit without a counterpart", [34], ADMINISTRATOR],
  ["one of them beside a bit of ours", [13, 30], MANAGE_MESSAGES | ADMINISTRATOR],
])("a command's default permissions are those that a member needs: %s", (_which, bits, needed) => {
  expect(neededPermissions(bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n))).toBe(needed);
});
