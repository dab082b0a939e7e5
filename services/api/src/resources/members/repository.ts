import { caps, Member } from "@parley/contracts";
import { defineStatement, isUniqueViolation, jsonTime, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { MemberPlace } from "./schema.js";

/**
 * A member as JSON (docs/interface.md#4.7); PostgreSQL writes it, so a long list makes no objects in this process. The
 * limit keeps the planner from reading all accounts for a page.
 */
export const memberJson = `CROSS JOIN LATERAL (
    SELECT m.user_id, u.username, u.avatar_url, u.status, u.custom_status, u.activity, m.nickname,
      ${jsonTime("m.joined_at")} AS joined_at,
      (SELECT ${jsonTime("t.expires_at")} FROM timeouts t
        WHERE t.server_id = m.server_id AND t.user_id = m.user_id AND t.expires_at > now()) AS timeout_expires_at,
      coalesce((
        SELECT json_agg(row_to_json(role) ORDER BY role.position DESC, role.id)
        FROM (
          SELECT r.id, r.name, r.color, r.position FROM member_roles mr JOIN roles r ON r.id = mr.role_id
          WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id) AS role), '[]') AS roles
    FROM users u WHERE u.id = m.user_id LIMIT 1) AS member`;

/** Of a select with {@link memberJson} as `text`. */
export const memberRow = z.object({ text: z.string(), joined_at: z.date(), user_id: z.string() });
/** A member's JSON text and place in the list. */
export type MemberRow = z.infer<typeof memberRow>;

/** Two look-ups in indexes for each membership; a bot in very many servers is counted in some milliseconds. */
const membershipsStatement = defineStatement({
  name: "membership_count",
  text: `SELECT EXISTS (SELECT FROM bots WHERE user_id = $1) AS is_bot,
    (SELECT count(*)::integer FROM (
      SELECT FROM members m WHERE m.user_id = $1 AND ${serverExists("m.server_id")} LIMIT $2) AS counted) AS memberships`,
  row: z.object({ is_bot: z.boolean(), memberships: z.int() }),
});

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

/** How many servers a user is a member of, counted up to one more than the cap of bots. */
export async function countMemberships(connection: Queryable, userId: string) {
  const [found] = await connection.query(membershipsStatement, [userId, caps.botMemberships.max + 1]);
  return found;
}

/** @returns false when the user is a member already */
export async function insertMember({ prisma }: Transaction, serverId: string, userId: string): Promise<boolean> {
  try {
    await prisma.member.create({ data: { server_id: serverId, user_id: userId } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
