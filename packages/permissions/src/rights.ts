import { allRights, permissionBits, type RightName, rightBits } from "@parley/contracts";
import { hasPermission } from "./resolve.js";

/** The rights of a new server's everyone role (docs/protocol/permissions.md#24.2). */
export const defaultRights = rightBits.mention_everyone | rightBits.use_apps;

/** Rights that only the owner holds until a role grants them. */
const notOfAdministrators = rightBits.view_audit_log | rightBits.manage_automod;

/** Permission bits that imply rights. */
export const impliesRights =
  permissionBits.ADMINISTRATOR |
  permissionBits.MANAGE_MESSAGES |
  permissionBits.MANAGE_CHANNELS |
  permissionBits.BAN_MEMBERS;

/**
 * The rights of a member (docs/protocol/permissions.md#24.2), as a sum of `rightBits`: those of the everyone role and of their
 * roles, and those that their permissions imply.
 *
 * @param member.permissions resolved bits of the server or, for `bypass_slow_mode`, of the channel in question
 */
export function resolveRights(member: {
  isOwner: boolean;
  permissions: number;
  everyone: { rights: number };
  roles: readonly { rights: number }[];
}): number {
  const { isOwner, permissions, everyone, roles } = member;
  if (isOwner) return allRights;
  let rights = roles.reduce((sum, role) => sum | role.rights, everyone.rights);
  if (hasPermission(permissions, "ADMINISTRATOR")) rights |= allRights & ~notOfAdministrators;
  if (hasPermission(permissions, "MANAGE_MESSAGES") || hasPermission(permissions, "MANAGE_CHANNELS"))
    rights |= rightBits.bypass_slow_mode;
  if (hasPermission(permissions, "BAN_MEMBERS")) rights |= rightBits.manage_raids;
  return rights & allRights;
}

/** Whether a sum of `rightBits` contains the named right. */
export function hasRight(rights: number, name: RightName): boolean {
  return (rights & rightBits[name]) !== 0;
}
