import { caps } from "@parley/contracts";
import { defineStatement, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { MemberPlace } from "./schema.js";

/** Of a select with `memberText` as `text`. */
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

const insertStatement = defineStatement({
  name: "member_insert",
  text: "INSERT INTO members (server_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
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
export async function insertMember(transaction: Transaction, serverId: string, userId: string): Promise<boolean> {
  return (await transaction.execute(insertStatement, [serverId, userId])) > 0;
}
