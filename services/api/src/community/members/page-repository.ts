import { defineStatement, foldedName, type SqlValue, type Statement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { memberObject, memberText } from "@parley/moderation";
import { type MemberRow, memberRow } from "./repository.js";
import type { MemberPlace, MemberQuery } from "./schema.js";

/** Which members a list is about. */
export type MemberFilter = Pick<MemberQuery, "q" | "status" | "role_id">;

export interface MemberPageQuery {
  serverId: string;
  after: MemberPlace;
  limit: number;
  filter: MemberFilter;
}

const after = "($2::timestamptz, $3::uuid)";
const memberColumns = "m.server_id, m.user_id, m.nickname, m.joined_at";

const walkAll = (where: string) => `
  SELECT ${memberColumns} FROM members m
  WHERE m.server_id = $1 AND (m.joined_at, m.user_id) > ${after} ${where}
  ORDER BY m.joined_at, m.user_id LIMIT $4`;

/** An index has a role's holders in the order of the list; the assignments of a deleted role are removed later. */
const walkHolders = (role: string, where: string) => `
  SELECT ${memberColumns} FROM (
    SELECT m.server_id, m.user_id FROM member_roles m
    WHERE m.role_id = ${role} AND (SELECT true FROM roles WHERE id = ${role} AND server_id = $1)
      AND (m.joined_at, m.user_id) > ${after} ${where}
    ORDER BY m.joined_at, m.user_id LIMIT $4) AS h
  CROSS JOIN LATERAL (SELECT * FROM members WHERE server_id = h.server_id AND user_id = h.user_id LIMIT 1) AS m`;

/** The block of those who joined one after another, in the indexes of names. */
const blockOf = (table: string) => `${table}.join_order >> 10`;
/** In the order of bytes every text that begins with the prefix is below the prefix with the last code point. */
const begins = (text: string, prefix: string) => `${text} >= ${prefix} AND ${text} < ${prefix} || chr(1114111)`;

const inBlock = (where: string) => `
  SELECT ${memberColumns} FROM members m WHERE m.server_id = $1 AND ${blockOf("m")} = block AND ${where}`;

/**
 * Reads the beginnings of names from the blocks one after another until the page is full: no more than the members of
 * two blocks beyond the page, however many members have the name and wherever they are. The plan does not depend on
 * estimates: nothing but a nested loop keeps the order of the blocks, and `OFFSET 0` keeps the position out of a
 * block's search condition: when very many members joined at the instant of the position, the planner would expect few
 * after it.
 */
const walkNames = (prefix: string, where: string) => `
  SELECT ${memberColumns} FROM (
    SELECT block FROM generate_series(
      (SELECT ${blockOf("f")} FROM members f WHERE f.server_id = $1 AND (f.joined_at, f.user_id) > ${after}
        ORDER BY f.joined_at, f.user_id LIMIT 1),
      (SELECT ${blockOf("l")} FROM members l WHERE l.server_id = $1 ORDER BY l.joined_at DESC, l.user_id DESC LIMIT 1)
    ) AS block ORDER BY block) AS blocks
  CROSS JOIN LATERAL (
    ${inBlock(begins("m.username_lower", `lower(${prefix})`))}
    UNION
    ${inBlock(`m.nickname IS NOT NULL AND ${begins(foldedName("m.nickname"), foldedName(`${prefix}::text`))}`)}
    OFFSET 0) AS m
  WHERE (m.joined_at, m.user_id) > ${after} ${where}
  ORDER BY block, m.joined_at, m.user_id LIMIT $4`;

/**
 * Scalar, so that PostgreSQL looks it up for each member whom the list comes to and never joins it with all accounts.
 */
const isOnline = "(SELECT o.status <> 'offline' FROM users o WHERE o.id = m.user_id)";
const holds = (role: string) => `(SELECT true FROM member_roles h JOIN roles r ON r.id = h.role_id
  WHERE h.server_id = m.server_id AND h.user_id = m.user_id AND h.role_id = ${role})`;

const statements = new Map<string, Statement<MemberRow>>();

/** One statement for each set of filters: PostgreSQL plans it for these alone. */
function pageStatement(name: string, page: string): Statement<MemberRow> {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = defineStatement({
    name,
    text: `SELECT ${memberText} AS text, m.joined_at, m.user_id
      FROM (${page}) AS m
      ${memberObject}
      ORDER BY m.joined_at, m.user_id`,
    row: memberRow,
  });
  statements.set(name, statement);
  return statement;
}

/** The statement of a page, and its values; exported for the test of its plans. */
export function memberPage({ serverId, after, limit, filter: { q, status, role_id } }: MemberPageQuery) {
  const values: SqlValue[] = [serverId, after.joinedAt, after.userId, limit];
  const bound = (value: SqlValue) => `$${values.push(value)}`;
  const online = status === undefined ? "" : `AND ${status === "online" ? "" : "NOT "}${isOnline}`;
  const page = () => {
    if (q !== undefined) {
      const prefix = bound(q);
      return walkNames(prefix, role_id === undefined ? online : `${online} AND ${holds(bound(role_id))}`);
    }
    return role_id === undefined ? walkAll(online) : walkHolders(bound(role_id), online);
  };
  const filters = [q === undefined ? [] : "q", status ?? [], role_id === undefined ? [] : "role"].flat();
  return { statement: pageStatement(["member_page", ...filters].join("_"), page()), values };
}

/** Before the first member of every server. */
export const listStart: MemberPlace = { joinedAt: new Date(0), userId: "00000000-0000-0000-0000-000000000000" };

/** The next members of a server after a position, in the order in which they joined. */
export function findMembers(connection: Queryable, page: MemberPageQuery): Promise<MemberRow[]> {
  const { statement, values } = memberPage(page);
  return connection.query(statement, values);
}
