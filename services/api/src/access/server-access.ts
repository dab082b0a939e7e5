import { errorTexts, forbidden, notFound, type PermissionName } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { hasPermission, resolveServerPermissions } from "@parley/permissions";
import { z } from "zod";

/** What a member may do in a server, read in one statement. */
export interface ServerAccess {
  serverId: string;
  ownerId: string;
  isOwner: boolean;
  /** Resolved bits of docs/interface.md#3.2, `server(u)`. */
  permissions: number;
  /** The caller's roles. */
  roles: readonly { id: string; permissions: number; position: number }[];
}

const accessStatement = defineStatement({
  name: "server_access",
  text: `SELECT s.id, s.owner_id, m.user_id IS NOT NULL AS is_member,
      coalesce((
        SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions, 'position', r.position))
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id
        WHERE mr.server_id = s.id AND mr.user_id = $2), '[]') AS roles
    FROM servers s LEFT JOIN members m ON m.server_id = s.id AND m.user_id = $2
    WHERE s.id = $1`,
  row: z.object({
    id: z.string(),
    owner_id: z.string(),
    is_member: z.boolean(),
    roles: z.array(z.object({ id: z.string(), permissions: z.int(), position: z.int() })),
  }),
});

/**
 * Reads a server's access for a user, member or not.
 *
 * @returns null when the server does not exist
 */
export async function findServerAccess(
  connection: Queryable,
  serverId: string,
  userId: string,
): Promise<(ServerAccess & { isMember: boolean }) | null> {
  const [row] = await connection.query(accessStatement, [serverId, userId]);
  if (row === undefined) return null;
  const isOwner = row.owner_id === userId;
  return {
    serverId: row.id,
    ownerId: row.owner_id,
    isOwner,
    isMember: row.is_member,
    permissions: row.is_member
      ? resolveServerPermissions({ isOwner, rolePermissions: row.roles.map((role) => role.permissions) })
      : 0,
    roles: row.roles,
  };
}

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

/**
 * @param message text of the 403
 * @throws ServiceError 403 unless the caller is the owner
 */
export function requireOwner(access: { isOwner: boolean }, message: string): void {
  if (!access.isOwner) throw forbidden(message);
}
