import { z } from "zod";
import { resolveChannelPermissions } from "./resolve.js";
import { resolveRights } from "./rights.js";

/** SQL for the everyone role of the server `s`. */
export const everyoneColumn =
  "json_build_object('id', s.id, 'permissions', s.everyone_permissions, 'rights', s.everyone_rights) AS everyone";

/** Row shape of {@link everyoneColumn}, and of each role that stands in a statement of access. */
export const accessRole = z.object({ id: z.string(), permissions: z.int(), rights: z.int() });

/**
 * SQL for the id of the role that an override `o` names, which is the server's for the everyone role: that override has
 * neither a role nor a user.
 *
 * @param serverId SQL of the server's id
 */
export const overrideRoleOf = (serverId: string) =>
  `CASE WHEN o.user_id IS NULL THEN coalesce(o.role_id, ${serverId}) END`;

/**
 * The columns that decide, for a member of the channel `c` with server `s`; resolved by {@link resolveAccess}. Of the
 * overrides only those of the member, of their roles and of the everyone role, for a full server has 50,000.
 *
 * @param userId SQL that names the member
 */
export const accessColumns = (userId: string) => `s.owner_id, ${everyoneColumn},
  coalesce((
    SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions, 'rights', r.rights))
    FROM member_roles mr JOIN roles r ON r.id = mr.role_id
    WHERE mr.server_id = c.server_id AND mr.user_id = ${userId}), '[]') AS roles,
  coalesce((
    SELECT json_agg(json_build_object('role_id', ${overrideRoleOf("s.id")}, 'user_id', o.user_id,
      'allow', o.allow, 'deny', o.deny))
    FROM (
      SELECT * FROM channel_overrides WHERE channel_id = c.id AND user_id = ${userId}
      UNION ALL
      SELECT * FROM channel_overrides WHERE channel_id = c.id AND role_id = ANY (ARRAY(
        SELECT mr.role_id FROM member_roles mr WHERE mr.server_id = c.server_id AND mr.user_id = ${userId}))
      UNION ALL
      SELECT * FROM channel_overrides WHERE channel_id = c.id AND role_id IS NULL AND user_id IS NULL
    ) AS o), '[]') AS overrides`;

/** Row shape of {@link accessColumns}. */
export const accessRow = z.object({
  owner_id: z.string(),
  everyone: accessRole,
  roles: z.array(accessRole),
  overrides: z.array(
    z.object({ role_id: z.string().nullable(), user_id: z.string().nullable(), allow: z.int(), deny: z.int() }),
  ),
});

/** Resolved bits of a row with {@link accessColumns}. */
export function resolveAccess(row: z.infer<typeof accessRow>, userId: string): number {
  const { owner_id, everyone, roles, overrides } = row;
  return resolveChannelPermissions({ isOwner: owner_id === userId, userId, everyone, roles, overrides });
}

/** Rights of a row with {@link accessColumns}, with those that the bits of the channel imply. */
export function resolveAccessRights(row: z.infer<typeof accessRow>, userId: string): number {
  const { owner_id, everyone, roles } = row;
  return resolveRights({ isOwner: owner_id === userId, permissions: resolveAccess(row, userId), everyone, roles });
}
