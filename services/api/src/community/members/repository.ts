import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { MemberPlace } from "./schema.js";

/** A row of a select with `memberText` as `text`. */
export const memberRow = z.object({ text: z.string(), joined_at: z.date(), user_id: z.string() });
/** A member's JSON text and place in the list. */
export type MemberRow = z.infer<typeof memberRow>;

const placeStatement = defineStatement({
  name: "member_place",
  text: "SELECT joined_at, user_id FROM members WHERE server_id = $1 AND user_id = $2",
  row: z
    .object({ joined_at: z.date(), user_id: z.string() })
    .transform((row): MemberPlace => ({ joinedAt: row.joined_at, userId: row.user_id })),
});

const countStatement = defineStatement({
  name: "member_count",
  text: `SELECT s.member_count AS total,
      (SELECT count(*)::integer FROM members m WHERE m.server_id = s.id
        AND EXISTS (SELECT FROM users o WHERE o.id = m.user_id AND o.status <> 'offline')) AS online
    FROM servers s WHERE s.id = $1`,
  row: z.object({ total: z.int(), online: z.int() }),
});

/** Where a member stands in the list; null for non-members. */
export async function findPlace(connection: Queryable, serverId: string, userId: string): Promise<MemberPlace | null> {
  const [place] = await connection.query(placeStatement, [serverId, userId]);
  return place ?? null;
}

/** How many members a server has and how many of them are not offline; null for a missing server. */
export async function countMembers(connection: Queryable, serverId: string) {
  const [counts] = await connection.query(countStatement, [serverId]);
  return counts ?? null;
}
