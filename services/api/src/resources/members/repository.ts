import { Member } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { type MemberRow, memberJson, memberRow } from "./member-json.js";
import { type MemberPageQuery, memberPage } from "./page-statement.js";
import type { MemberPlace } from "./schema.js";

const oneStatement = defineStatement({
  name: "member_find",
  text: `SELECT row_to_json(member)::text AS text, m.joined_at, m.user_id FROM members m ${memberJson}
    WHERE m.server_id = $1 AND m.user_id = $2`,
  row: memberRow,
});

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

/** Before the first member of every server. */
export const listStart: MemberPlace = { joinedAt: new Date(0), userId: "00000000-0000-0000-0000-000000000000" };

/** The next members of a server after a position, in the order in which they joined. */
export function findMembers(connection: Queryable, page: MemberPageQuery): Promise<MemberRow[]> {
  const { statement, values } = memberPage(page);
  return connection.query(statement, values);
}

/** A member; null for non-members. */
export async function findMember(connection: Queryable, serverId: string, userId: string): Promise<Member | null> {
  const [row] = await connection.query(oneStatement, [serverId, userId]);
  return row === undefined ? null : Member.parse(JSON.parse(row.text));
}

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
