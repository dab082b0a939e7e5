import { allPermissionBits, type PermissionName, permissionBits } from "@parley/contracts";

/**
 * The permissions of a new server's everyone role (docs/protocol/permissions.md#24.1): view, send, attach, react, connect, speak.
 */
export const defaultPermissions =
  permissionBits.VIEW_CHANNEL |
  permissionBits.SEND_MESSAGES |
  permissionBits.ATTACH_FILES |
  permissionBits.ADD_REACTIONS |
  permissionBits.CONNECT_VOICE |
  permissionBits.SPEAK;

// Only bits 0–6 and 10 have meaning inside an override; others are stored and ignored (docs/protocol/permissions.md#3.2).
const overridableBits =
  permissionBits.VIEW_CHANNEL |
  permissionBits.SEND_MESSAGES |
  permissionBits.MANAGE_MESSAGES |
  permissionBits.ATTACH_FILES |
  permissionBits.ADD_REACTIONS |
  permissionBits.CONNECT_VOICE |
  permissionBits.SPEAK |
  permissionBits.MANAGE_CHANNELS;

/** The part of a role that resolution reads. That of the everyone role is the one whose id is the server's. */
export interface RoleRule {
  id: string;
  permissions: number;
}

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
 * `server(u)` of docs/protocol/permissions.md#3.2: the permissions of a member in a server.
 * @param member.everyone the server's everyone role
 * @param member.roles every role that the member holds, in any order
 */
export function resolveServerPermissions(member: {
  isOwner: boolean;
  everyone: Pick<RoleRule, "permissions">;
  roles: readonly Pick<RoleRule, "permissions">[];
}): number {
  if (member.isOwner) return allPermissionBits;
  const bits = member.roles.reduce((sum, { permissions }) => sum | permissions, member.everyone.permissions);
  return hasPermission(bits, "ADMINISTRATOR") ? allPermissionBits : bits & allPermissionBits;
}

/**
 * `channel(u,c)` of docs/protocol/permissions.md#3.2: the permissions of a member in a channel; 0 when they may not even view it.
 * @param member.everyone the server's everyone role
 * @param member.roles every role that the member holds
 * @param member.overrides every override of the channel; those of other roles and users are skipped
 */
export function resolveChannelPermissions(member: {
  isOwner: boolean;
  userId: string;
  everyone: RoleRule;
  roles: readonly RoleRule[];
  overrides: readonly OverrideRule[];
}): number {
  const { userId, everyone, roles, overrides } = member;
  const base = resolveServerPermissions(member);
  // Before overrides only the owner and administrators hold this bit, and overrides do not bind them.
  if (hasPermission(base, "ADMINISTRATOR")) return allPermissionBits;

  const roleIds = new Set(roles.map((role) => role.id));
  const ofEveryone = { allow: 0, deny: 0 };
  const ofRoles = { allow: 0, deny: 0 };
  const ofUser = { allow: 0, deny: 0 };
  for (const { role_id, user_id, allow, deny } of overrides) {
    const sum =
      user_id === userId
        ? ofUser
        : role_id === null
          ? null
          : role_id === everyone.id
            ? ofEveryone
            : roleIds.has(role_id)
              ? ofRoles
              : null;
    if (sum === null) continue;
    sum.allow |= allow & overridableBits;
    sum.deny |= deny & overridableBits;
  }
  const bits = [ofEveryone, ofRoles, ofUser].reduce((sum, { allow, deny }) => (sum & ~deny) | allow, base);
  return hasPermission(bits, "VIEW_CHANNEL") ? bits : 0;
}
