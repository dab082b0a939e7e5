import { permissionBits } from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { decideModeration } from "./moderation.js";

const { KICK_MEMBERS, BAN_MEMBERS, MUTE_MEMBERS, ADMINISTRATOR } = permissionBits;

describe("decideModeration", () => {
  test.each([
    ["nobody moderates themselves, whatever they hold", "a", "a", "o", 32767, "KICK_MEMBERS", "self"],
    ["the owner moderating themselves is self, not owner", "o", "o", "o", 32767, "BAN_MEMBERS", "self"],
    ["nobody moderates the owner, not even an administrator", "a", "o", "o", 32767, "BAN_MEMBERS", "owner"],
    ["the owner check precedes the permission check", "a", "o", "o", 123, "MUTE_MEMBERS", "owner"],
    ["without the bit it is forbidden", "a", "b", "o", 123, "KICK_MEMBERS", "forbidden"],
    ["another action's bit does not help", "a", "b", "o", KICK_MEMBERS | MUTE_MEMBERS, "BAN_MEMBERS", "forbidden"],
    ["KICK_MEMBERS may kick", "a", "b", "o", KICK_MEMBERS, "KICK_MEMBERS", "allowed"],
    ["BAN_MEMBERS may ban", "a", "b", "o", BAN_MEMBERS, "BAN_MEMBERS", "allowed"],
    ["MUTE_MEMBERS may time out", "a", "b", "o", MUTE_MEMBERS, "MUTE_MEMBERS", "allowed"],
    ["ADMINISTRATOR may do all", "a", "b", "o", ADMINISTRATOR, "BAN_MEMBERS", "allowed"],
    ["the owner may do all", "o", "b", "o", 0, "BAN_MEMBERS", "allowed"],
  ] as const)("moderation is decided: %s", (_text, callerId, targetId, ownerId, callerPermissions, bit, expected) => {
    expect(decideModeration({ callerId, targetId, ownerId, callerPermissions, bit })).toBe(expected);
  });
});
