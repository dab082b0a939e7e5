import { errorTexts, forbidden, notFound, type PermissionName } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { hasPermission } from "@parley/permissions";
import { findServerAccess, type ServerAccess } from "./repository.js";

/**
 * Reads what a member may do.
 *
 * @throws ServiceError 404 for a missing server and for non-members: the existence of private servers does not leak
 * (docs/interface.md#1.4)
 */
export async function requireMember(connection: Queryable, serverId: string, userId: string): Promise<ServerAccess> {
  const access = await findServerAccess(connection, serverId, userId);
  if (access === null || !access.isMember) throw notFound(errorTexts.server_not_found);
  return access;
}

/**
 * @param message text of the 403
 * @throws ServiceError 403 when the bits lack the permission
 */
export function requirePermission(access: { permissions: number }, name: PermissionName, message: string): void {
  if (!hasPermission(access.permissions, name)) throw forbidden(message);
}
