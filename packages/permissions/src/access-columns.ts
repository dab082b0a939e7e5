import { z } from "zod";
import { resolveChannelPermissions } from "./resolve.js";

/**
 * The columns that decide, for a member of the channel `c` with server `s`; resolved by {@link resolveAccess}. Of the
 * overrides only those of the member and of their roles, for a full server has 50,000.
 *
 * @param userId SQL that names the member
 */
export const accessColumns = (userId: string) => `s.owner_id,
  coalesce((
    SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions))
    FROM member_roles mr JOIN roles r ON r.id = mr.role_id
    WHERE mr.server_id = c.server_id AND mr.user_id = ${userId}), '[]') AS roles,
  coalesce((
    SELECT json_agg(json_build_object('role_id', o.role_id, 'user_id', o.user_id, 'allow', o.allow, 'deny', o.deny))
    FROM (
      SELECT * FROM channel_overrides WHERE channel_id = c.id AND user_id = ${userId}
      UNION ALL
      SELECT * FROM channel_overrides WHERE channel_id = c.id AND role_id = ANY (ARRAY(
        SELECT mr.role_id FROM member_roles mr WHERE mr.server_id = c.server_id AND mr.user_id = ${userId}))
    ) AS o), '[]') AS overrides`;

/** Row shape of {@link accessColumns}. */
export const accessRow = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.int() })),
  overrides: z.array(
    z.object({ role_id: z.string().nullable(), user_id: z.string().nullable(), allow: z.int(), deny: z.int() }),
  ),
});

/** Resolved bits of a row with {@link accessColumns}. */
export function resolveAccess(row: z.infer<typeof accessRow>, userId: string): number {
  return resolveChannelPermissions({
    isOwner: row.owner_id === userId,
    userId,
    roles: row.roles,
    overrides: row.overrides,
  });
}
