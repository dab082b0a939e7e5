import { Member } from "@parley/contracts";
import { defineStatement, type Queryable, type SqlValue, type Statement } from "@parley/database";
import { z } from "zod";
import type { MemberQuery, Position } from "./schema.js";

/** SQL of an instant as the interface has it (docs/interface.md#1.2). */
export const jsonTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * A member as JSON (docs/interface.md#4.7); PostgreSQL writes it, so a long list makes no objects in this process. The
 * limit keeps the planner from reading all accounts for a page.
 */
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
    FROM users u WHERE u.id = m.user_id LIMIT 1) AS member`;

/** Which members a list is about. */
export type MemberFilter = Pick<MemberQuery, "q" | "status" | "role_id">;

/** Scalar, so that it is looked up for each member whom the list comes to and never joined with all accounts. */
const isOnline = "(SELECT o.status <> 'offline' FROM users o WHERE o.id = m.user_id)";

/** Conditions beside the name, which is `$5`, and the values of them all. */
function conditionsOf({ q, status, role_id }: MemberFilter): { name: string; where: string; values: SqlValue[] } {
  const name: string[] = [];
  const where: string[] = [];
  const values: SqlValue[] = [];
  const placeholder = (value: SqlValue) => `$${values.push(value) + 4}`;
  if (q !== undefined) {
    name.push("q");
    placeholder(q);
  }
  if (status !== undefined) {
    name.push(status);
    where.push(`AND ${status === "online" ? "" : "NOT "}${isOnline}`);
  }
  if (role_id !== undefined) {
    name.push("role");
    where.push(
      `AND (SELECT true FROM member_roles h
        WHERE h.role_id = ${placeholder(role_id)} AND h.server_id = m.server_id AND h.user_id = m.user_id)`,
    );
  }
  return { name: ["member_page", ...name].join("_"), where: where.join(" "), values };
}

const candidates = (where: string) => `
  SELECT m.server_id, m.user_id, m.nickname, m.joined_at FROM members m
  WHERE m.server_id = $1 AND (m.joined_at, m.user_id) > ($2::timestamptz, $3::uuid) ${where}`;

const walk = (where: string) => `${candidates(where)} ORDER BY m.joined_at, m.user_id LIMIT $4`;

/** The block of those who joined one after another, in the indexes of names. */
const blockOf = (table: string) => `${table}.join_order >> 10`;
/** In the order of bytes every text that begins with the prefix is below the prefix with the last code point. */
const beginsWithName = (text: string) => `${text} >= lower($5) AND ${text} < lower($5) || chr(1114111)`;

/**
 * Reads the beginnings of names from the blocks one after another until the page is full: no more than the members of
 * two blocks, however many have the name and wherever they are. The plan does not depend on estimates: nothing but
 * a nested loop keeps the order of the blocks.
 */
const walkNames = (where: string) => `
  SELECT found.* FROM (
    SELECT block FROM generate_series(
      (SELECT ${blockOf("f")} FROM members f
        WHERE f.server_id = $1 AND (f.joined_at, f.user_id) > ($2::timestamptz, $3::uuid)
        ORDER BY f.joined_at, f.user_id LIMIT 1),
      (SELECT ${blockOf("l")} FROM members l WHERE l.server_id = $1 ORDER BY l.joined_at DESC, l.user_id DESC LIMIT 1)
    ) AS block ORDER BY block) AS blocks
  CROSS JOIN LATERAL (
    ${candidates(`AND ${blockOf("m")} = block AND ${beginsWithName("m.username_lower")} ${where}`)}
    UNION
    ${candidates(
      `AND ${blockOf("m")} = block AND m.nickname IS NOT NULL AND ${beginsWithName('lower(m.nickname) COLLATE "C"')} ${where}`,
    )}) AS found
  ORDER BY block, found.joined_at, found.user_id LIMIT $4`;

const memberRow = z.object({ text: z.string(), joined_at: z.date(), user_id: z.string() });
/** A member's JSON text and place in the list. */
export type MemberRow = z.infer<typeof memberRow>;

const statements = new Map<string, Statement<MemberRow>>();

/** One statement for each set of filters: PostgreSQL plans it for these alone. */
function pageStatement(name: string, page: string): Statement<MemberRow> {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = defineStatement({
    name,
    text: `SELECT row_to_json(member)::text AS text, m.joined_at, m.user_id
      FROM (${page}) AS m
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

export interface MemberPageQuery {
  serverId: string;
  after: Position;
  limit: number;
  filter: MemberFilter;
}

/** The statement of a page and its values. */
export function memberPage({ serverId, after, limit, filter }: MemberPageQuery) {
  const { name, where, values } = conditionsOf(filter);
  const select = filter.q === undefined ? walk : walkNames;
  return {
    statement: pageStatement(name, select(where)),
    values: [serverId, after.joinedAt, after.userId, limit, ...values],
  };
}

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
export async function findPlace(connection: Queryable, serverId: string, userId: string): Promise<Position | null> {
  const [place] = await connection.query(placeStatement, [serverId, userId]);
  return place ?? null;
}

/** How many members a server has and how many of them are not offline; null for a missing server. */
export async function countMembers(connection: Queryable, serverId: string) {
  const [counts] = await connection.query(countStatement, [serverId]);
  return counts ?? null;
}
