import type { PermissionName } from "@parley/contracts";
import { hasPermission } from "./resolve.js";

/** Why a moderation action may or may not go on. */
export type ModerationDecision = "allowed" | "self" | "owner" | "forbidden";

/** The right that each moderation action needs. */
export type ModerationBit = Extract<PermissionName, "KICK_MEMBERS" | "BAN_MEMBERS" | "MUTE_MEMBERS">;

/**
 * The checks of docs/protocol/moderation.md#10.1 between "the caller is a member" and "the target is a member", in that order.
 * Role positions play no part here: see `canModerateMember`.
 * @param action.callerPermissions the caller's resolved server permissions
 */
export function decideModeration(action: {
  callerId: string;
  targetId: string;
  ownerId: string;
  callerPermissions: number;
  bit: ModerationBit;
}): ModerationDecision {
  const { callerId, targetId, ownerId, callerPermissions, bit } = action;
  if (targetId === callerId) return "self";
  if (targetId === ownerId) return "owner";
  const mayAct =
    callerId === ownerId || hasPermission(callerPermissions, bit) || hasPermission(callerPermissions, "ADMINISTRATOR");
  return mayAct ? "allowed" : "forbidden";
}
