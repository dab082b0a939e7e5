import { Member } from "@parley/contracts";
import { defineStatement, type Queryable, type SqlValue, type Statement } from "@parley/database";
import { z } from "zod";
import type { MemberQuery, Position } from "./schema.js";

/** SQL of an instant as the interface has it (docs/interface.md#1.2). */
export const jsonTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A member as JSON (docs/interface.md#4.7); PostgreSQL writes it, so a long list makes no objects in this process. */
const memberJson = `CROSS JOIN LATERAL (
    SELECT m.user_id, u.username, u.avatar_url, u.status, u.custom_status, u.activity, m.nickname,
      ${jsonTime("m.joined_at")} AS joined_at,
      (SELECT ${jsonTime("t.expires_at")} FROM timeouts t
        WHERE t.server_id = m.server_id AND t.user_id = m.user_id AND t.expires_at > now()) AS timeout_expires_at,
      coalesce((
        SELECT json_agg(row_to_json(role) ORDER BY role.position DESC, role.id)
        FROM (
          SELECT r.id, r.name, r.color, r.position FROM member_roles mr JOIN roles r ON r.id = mr.role_id
          WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id) AS role), '[]') AS roles
    FROM users u WHERE u.id = m.user_id) AS member`;

/** Which members a list is about. */
export type MemberFilter = Pick<MemberQuery, "q" | "status" | "role_id">;

const isOnline = "EXISTS (SELECT FROM users o WHERE o.id = m.user_id AND o.status <> 'offline')";

/** Conditions and their values; `%` and `_` in the prefix of a name are escaped. */
function conditionsOf({ q, status, role_id }: MemberFilter): { name: string; where: string; values: SqlValue[] } {
  const name: string[] = [];
  const where: string[] = [];
  const values: SqlValue[] = [];
  const placeholder = (value: SqlValue) => `$${values.push(value) + 4}`;
  if (q !== undefined) {
    const pattern = placeholder(`${q.replace(/[\\%_]/g, "\\$&")}%`);
    name.push("q");
    where.push(
      `AND (m.nickname ILIKE ${pattern} OR EXISTS (
        SELECT FROM users n WHERE n.id = m.user_id AND n.username ILIKE ${pattern}))`,
    );
  }
  if (status !== undefined) {
    name.push(status);
    where.push(`AND ${status === "online" ? "" : "NOT "}${isOnline}`);
  }
  if (role_id !== undefined) {
    name.push("role");
    where.push(
      `AND EXISTS (SELECT FROM member_roles h
        WHERE h.role_id = ${placeholder(role_id)} AND h.server_id = m.server_id AND h.user_id = m.user_id)`,
    );
  }
  return { name: ["member_page", ...name].join("_"), where: where.join(" "), values };
}

const memberRow = z.object({ text: z.string(), joined_at: z.date(), user_id: z.string() });
/** A member's JSON text and place in the list. */
export type MemberRow = z.infer<typeof memberRow>;

const statements = new Map<string, Statement<MemberRow>>();

/** One statement for each set of filters: PostgreSQL plans it for these alone. */
function pageStatement(name: string, where: string): Statement<MemberRow> {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = defineStatement({
    name,
    text: `SELECT row_to_json(member)::text AS text, m.joined_at, m.user_id
      FROM (
        SELECT m.server_id, m.user_id, m.nickname, m.joined_at FROM members m
        WHERE m.server_id = $1 AND (m.joined_at, m.user_id) > ($2::timestamptz, $3::uuid) ${where}
        ORDER BY m.joined_at, m.user_id LIMIT $4) AS m
      ${memberJson}
      ORDER BY m.joined_at, m.user_id`,
    row: memberRow,
  });
  statements.set(name, statement);
  return statement;
}

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
    .transform((row): Position => ({ joinedAt: row.joined_at, userId: row.user_id })),
});

const countStatement = defineStatement({
  name: "member_count",
  text: `SELECT s.member_count AS total,
      (SELECT count(*)::integer FROM members m WHERE m.server_id = s.id AND ${isOnline}) AS online
    FROM servers s WHERE s.id = $1`,
  row: z.object({ total: z.int(), online: z.int() }),
});

/** Before the first member of every server. */
export const listStart: Position = { joinedAt: new Date(0), userId: "00000000-0000-0000-0000-000000000000" };

/** The next members of a server after a position, in the order in which they joined. */
export function findMembers(
  connection: Queryable,
  page: { serverId: string; after: Position; limit: number; filter: MemberFilter },
): Promise<MemberRow[]> {
  const { serverId, after, limit, filter } = page;
  const { name, where, values } = conditionsOf(filter);
  return connection.query(pageStatement(name, where), [serverId, after.joinedAt, after.userId, limit, ...values]);
}

/** A member; null for non-members. */
export async function findMember(connection: Queryable, serverId: string, userId: string): Promise<Member | null> {
  const [row] = await connection.query(oneStatement, [serverId, userId]);
  return row === undefined ? null : Member.parse(JSON.parse(row.text));
}

/** Where a member stands in the list; null for non-members. */
export async function findPlace(connection: Queryable, serverId: string, userId: string): Promise<Position | null> {
  const [place] = await connection.query(placeStatement, [serverId, userId]);
  return place ?? null;
}

/** How many members a server has and how many of them are not offline; null for a missing server. */
export async function countMembers(connection: Queryable, serverId: string) {
  const [counts] = await connection.query(countStatement, [serverId]);
  return counts ?? null;
}
