import { allPermissionBits, type PermissionName, permissionBits } from "@parley/contracts";

/** What every member has without any role (docs/interface.md#3.2): view, send, attach, react, connect, speak. */
export const defaultPermissions =
  permissionBits.VIEW_CHANNEL |
  permissionBits.SEND_MESSAGES |
  permissionBits.ATTACH_FILES |
  permissionBits.ADD_REACTIONS |
  permissionBits.CONNECT_VOICE |
  permissionBits.SPEAK;

// Only bits 0–6 and 10 have meaning inside an override; others are stored and ignored (docs/interface.md#3.2).
const overridableBits =
  permissionBits.VIEW_CHANNEL |
  permissionBits.SEND_MESSAGES |
  permissionBits.MANAGE_MESSAGES |
  permissionBits.ATTACH_FILES |
  permissionBits.ADD_REACTIONS |
  permissionBits.CONNECT_VOICE |
  permissionBits.SPEAK |
  permissionBits.MANAGE_CHANNELS;

/** The part of a channel override that resolution reads; exactly one of `role_id` and `user_id` is set. */
export interface OverrideRule {
  role_id: string | null;
  user_id: string | null;
  allow: number;
  deny: number;
}

/** Whether the bits contain the named permission. ADMINISTRATOR counts only as itself: resolve the bits first. */
export function hasPermission(bits: number, name: PermissionName): boolean {
  return (bits & permissionBits[name]) !== 0;
}

/**
 * `server(u)` of docs/interface.md#3.2: what a member may do in a server.
 * @param member.rolePermissions bits of every role that the member holds, in any order
 */
export function resolveServerPermissions(member: { isOwner: boolean; rolePermissions: readonly number[] }): number {
  if (member.isOwner) return allPermissionBits;
  const bits = member.rolePermissions.reduce((sum, role) => sum | role, defaultPermissions);
  return hasPermission(bits, "ADMINISTRATOR") ? allPermissionBits : bits & allPermissionBits;
}

/**
 * `channel(u,c)` of docs/interface.md#3.2: what a member may do in a channel; 0 when they may not even view it.
 * @param member.roles every role that the member holds
 * @param member.overrides every override of the channel; those of other roles and users are skipped
 */
export function resolveChannelPermissions(member: {
  isOwner: boolean;
  userId: string;
  roles: readonly { id: string; permissions: number }[];
  overrides: readonly OverrideRule[];
}): number {
  const { isOwner, userId, roles, overrides } = member;
  const base = resolveServerPermissions({ isOwner, rolePermissions: roles.map((role) => role.permissions) });
  // Before overrides only the owner and administrators hold this bit, and overrides do not bind them.
  if (hasPermission(base, "ADMINISTRATOR")) return allPermissionBits;

  const roleIds = new Set(roles.map((role) => role.id));
  let roleAllow = 0;
  let roleDeny = 0;
  let userAllow = 0;
  let userDeny = 0;
  for (const override of overrides) {
    if (override.user_id === userId) {
      userAllow |= override.allow;
      userDeny |= override.deny;
    } else if (override.role_id !== null && roleIds.has(override.role_id)) {
      roleAllow |= override.allow;
      roleDeny |= override.deny;
    }
  }
  const byRoles = (base & ~(roleDeny & overridableBits)) | (roleAllow & overridableBits);
  const bits = (byRoles & ~(userDeny & overridableBits)) | (userAllow & overridableBits);
  return hasPermission(bits, "VIEW_CHANNEL") ? bits : 0;
}
