import { errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Queryable, Role } from "@parley/database/prisma";
import { canActOnRole, canGrant, type RoleActor } from "@parley/permissions";
import { permission } from "../../access/needs.js";
import type { ServerAccess } from "../../access/repository.js";
import { findEveryone, findRole } from "./repository.js";

/** The right to change roles and to give and take them. */
export const manageRoles = permission("MANAGE_ROLES", errorTexts.manage_roles_required);

/** The role that a path names. */
export const namedRole = {
  missing: [errorTexts.role_not_found],
  find: (connection: Queryable, { serverId }: ServerAccess, { role_id }: { role_id: string }): Promise<Role> =>
    requireRole(connection, serverId, role_id),
};

/** The role that a path names; the id of the server names its everyone role (docs/protocol/permissions.md#24.1). */
export const namedRoleOrEveryone: typeof namedRole = {
  missing: namedRole.missing,
  find: (connection, access, params) =>
    params.role_id === access.serverId
      ? findEveryone(connection, access.serverId)
      : namedRole.find(connection, access, params),
};

/** The caller's rank in the role hierarchy. */
export function roleActor({ isOwner, roles }: ServerAccess): RoleActor {
  return { isOwner, rolePositions: roles.map((role) => role.position) };
}

/**
 * @param message text of the 403
 * @throws ServiceError 403 unless the position is below the caller's highest role (docs/protocol/permissions.md#6.3)
 */
export function requireOutranked(access: ServerAccess, position: number, message: string): void {
  if (!canActOnRole(roleActor(access), position)) throw forbidden(message);
}

/** @throws ServiceError 403 for bits that the caller lacks in the server (docs/protocol/permissions.md#6.3) */
export function requireHeld(access: ServerAccess, granted: number): void {
  if (!canGrant(access.permissions, granted)) throw forbidden(errorTexts.cannot_grant_permissions);
}

/** @throws ServiceError 403 for rights that the caller lacks (docs/protocol/permissions.md#24.2) */
export function requireRightsHeld(access: ServerAccess, granted: number): void {
  if ((granted & ~access.rights) !== 0) throw forbidden(errorTexts.cannot_grant_rights);
}

/** @throws ServiceError 404 for a missing role and for one of another server */
export async function requireRole(connection: Queryable, serverId: string, roleId: string): Promise<Role> {
  const role = await findRole(connection, serverId, roleId);
  if (role === null) throw notFound(errorTexts.role_not_found);
  return role;
}

/** @throws ServiceError 403 unless the caller may give the role to others (docs/protocol/permissions.md#6.3) */
export function requireMayGive(access: ServerAccess, role: Pick<Role, "position" | "permissions" | "rights">): void {
  requireOutranked(access, role.position, errorTexts.role_assign_above);
  // Positions do not limit bits: a role further down may hold more than the caller's own.
  requireHeld(access, role.permissions);
  requireRightsHeld(access, role.rights);
}
