import { defineStatement, type Queryable, type RawRow, type Statement } from "@parley/database";
import { z } from "zod";
import { patternOf, sliceOf, type UserPageQuery } from "./page-schema.js";
import type { AdminUser } from "./user-schema.js";

const instant = z.date().transform((date) => date.toISOString());
const userRow = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  avatar_url: z.string().nullable(),
  status: z.enum(["online", "away", "dnd", "offline"]),
  is_admin: z.boolean(),
  disabled: z.boolean(),
  disabled_at: instant.nullable(),
  created_at: instant,
  server_count: z.coerce.number(),
  message_count: z.coerce.number(),
});

const columns = `u.id, u.username, u.email, u.avatar_url, u.status, u.is_admin OR u.admin_by_setting AS is_admin,
  u.disabled_at IS NOT NULL AS disabled, u.disabled_at, u.created_at,
  (SELECT count(*) FROM members m WHERE m.user_id = u.id) AS server_count,
  (SELECT c.messages FROM user_directory c WHERE c.user_id = u.id) AS message_count`;

const orders: Record<UserPageQuery["sort_by"], { order: string; reversed: string }> = {
  created_at: { order: "d.created_at DESC, d.user_id DESC", reversed: "d.created_at, d.user_id" },
  username: { order: "d.username, d.user_id", reversed: "d.username DESC, d.user_id DESC" },
  message_count: { order: "d.messages DESC, d.user_id DESC", reversed: "d.messages, d.user_id" },
};
const matches = "search_name LIKE";

const statements = new Map<string, Statement<AdminUser>>();

/** One statement for each order, direction and with or without a search: PostgreSQL plans it for these alone. */
function pageStatement(sortBy: UserPageQuery["sort_by"], reversed: boolean, isSearch: boolean): Statement<AdminUser> {
  const name = ["admin_users", sortBy, ...(reversed ? ["reversed"] : []), ...(isSearch ? ["search"] : [])].join("_");
  const known = statements.get(name);
  if (known !== undefined) return known;
  const { order, reversed: backwards } = orders[sortBy];
  const statement = defineStatement({
    name,
    text: `SELECT ${columns}
      FROM (
        SELECT d.* FROM user_directory d ${isSearch ? `WHERE d.${matches} $3` : ""}
        ORDER BY ${reversed ? backwards : order} LIMIT $1 OFFSET $2) d
      CROSS JOIN LATERAL (SELECT * FROM users WHERE id = d.user_id OFFSET 0) u
      ORDER BY ${order}`,
    row: userRow,
  });
  statements.set(name, statement);
  return statement;
}

const total = (row: RawRow) => Number(row.total);
const countAll = defineStatement({
  name: "admin_users_count",
  text: "SELECT count(*) AS total FROM user_directory",
  row: total,
});
const countSearch = defineStatement({
  name: "admin_users_count_search",
  text: `SELECT count(*) AS total FROM user_directory WHERE ${matches} $1`,
  row: total,
});

const oneStatement = defineStatement({
  name: "admin_user",
  text: `SELECT ${columns} FROM users u WHERE u.id = $1`,
  row: userRow,
});

/** A page of accounts, and how many there are. Counts of messages are as of the last time they were settled. */
export async function findUsers(
  connection: Queryable,
  query: UserPageQuery,
): Promise<{ users: AdminUser[]; total: number }> {
  const pattern = query.search === undefined || query.search === "" ? [] : [patternOf(query.search.toLowerCase())];
  const [total = 0] = await connection.query(pattern.length === 0 ? countAll : countSearch, pattern);
  const { limit, offset, reversed } = sliceOf(query, total);
  if (limit === 0) return { users: [], total };
  const statement = pageStatement(query.sort_by, reversed, pattern.length > 0);
  return { users: await connection.query(statement, [limit, offset, ...pattern]), total };
}

/** One account; null when there is none. */
export async function findUser(connection: Queryable, userId: string): Promise<AdminUser | null> {
  const [user] = await connection.query(oneStatement, [userId]);
  return user ?? null;
}
