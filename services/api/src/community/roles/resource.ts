import { createEvent, type OutgoingEvent, type Role, rightNamesOf } from "@parley/contracts";
import type { Role as RoleRow } from "@parley/database/prisma";

/** A role as connections without `v=2` get it (docs/protocol/objects.md#4.8). */
function toOlderRole(row: RoleRow): Role {
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

/** A role as it goes over the wire (docs/protocol/objects.md#4.8). */
export const toRole = (row: RoleRow): Role => ({
  ...toOlderRole(row),
  ...(row.mentionable ? { mentionable: true } : {}),
});

/** A role with its rights (docs/protocol/permissions.md#24.2), for requests that name them and connections with `v=2`. */
export const toRoleWithRights = (row: RoleRow): Role => ({ ...toRole(row), rights: rightNamesOf(row.rights) });

/** A role in an answer. The everyone role always has its rights, because older clients do not know the role at all. */
export const answerRole = (row: RoleRow, namesRights: boolean): Role =>
  namesRights || row.id === row.server_id ? toRoleWithRights(row) : toRole(row);

/** The events of a new or changed role; of the everyone role, connections without `v=2` know nothing. */
export function roleEvents(name: "ROLE_CREATE" | "ROLE_UPDATE", row: RoleRow): OutgoingEvent[] {
  const { id, server_id } = row;
  const whole = createEvent(name, { server_id }, toRoleWithRights(row), { version: 2 });
  return id === server_id ? [whole] : [createEvent(name, { server_id }, toOlderRole(row), { version: 1 }), whole];
}
