import { defineStatement, directParticipants } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { type GroupRow, groupRow } from "./group-resource.js";

/** Columns of a group `d` beside those in it. */
export const groupColumns = "d.id, d.name, d.icon_url, d.created_at, d.last_message_at";

const findStatement = defineStatement({
  name: "dm_group_find",
  text: `SELECT ${groupColumns}, (${directParticipants("d")})::text[] AS members
    FROM dm_channels d WHERE d.id = ANY ($1::uuid[]) AND d.user_low IS NULL`,
  row: groupRow,
});

/** Those of the channels that are groups, in no order. */
export function findGroups(connection: Queryable, ids: readonly string[]): Promise<GroupRow[]> {
  return connection.query(findStatement, [[...ids]]);
}
