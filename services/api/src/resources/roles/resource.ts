import type { Role } from "@parley/contracts";
import type { Role as RoleRow } from "@parley/database/prisma";

/** A role as it goes over the wire (docs/interface.md#4.8). */
export function toRole(row: RoleRow): Role {
  return {
    id: row.id,
    server_id: row.server_id,
    name: row.name,
    permissions: row.permissions,
    color: row.color,
    position: row.position,
    created_at: row.created_at.toISOString(),
  };
}
