import { defineStatement, type RawRow, type Statement, serverExists } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { usesOfAccounts } from "../../../platform/files/quotas/use-repository.js";
import { patternOf, sliceOf, type UserPageQuery } from "../page-schema.js";
import type { AdminUser } from "./schema.js";

const instant = z.date().transform((date) => date.toISOString());
const optionalBytes = z.coerce
  .number()
  .nullish()
  .transform((bytes) => bytes ?? undefined);
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
  quota: optionalBytes,
  storage_bytes: optionalBytes,
});

const columns = `u.id, u.username, u.email, u.avatar_url, u.status, u.is_admin OR u.admin_by_setting AS is_admin,
  u.disabled_at IS NOT NULL AS disabled, u.disabled_at, u.created_at,
  (SELECT count(*) FROM members m WHERE m.user_id = u.id AND ${serverExists("m.server_id")}) AS server_count,
  (SELECT c.messages FROM user_directory c WHERE c.user_id = u.id) AS message_count,
  (SELECT q.quota FROM account_quotas q WHERE q.user_id = u.id) AS quota`;

/** The order of a list: a column of the directory, with an index of its own that has the searched name too. */
type Indexed = Exclude<UserPageQuery["sort_by"], "storage_bytes">;
const orders: Record<Indexed, { column: string; direction: "ASC" | "DESC" }> = {
  created_at: { column: "created_at", direction: "DESC" },
  username: { column: "username", direction: "ASC" },
  message_count: { column: "messages", direction: "DESC" },
};
const matches = "search_name LIKE";

/**
 * The entries of a page, limit $1 and offset $2. It names the columns of one index only, so that PostgreSQL skips the
 * entries before the page there and does not look them up.
 */
function entriesOf(sortBy: Indexed, reversed: boolean, isSearch: boolean): string {
  const { column, direction } = orders[sortBy];
  const towards = reversed === (direction === "DESC") ? "ASC" : "DESC";
  return `SELECT user_id, ${column} AS position FROM user_directory ${isSearch ? `WHERE ${matches} $3` : ""}
    ORDER BY ${column} ${towards}, user_id ${towards} LIMIT $1 OFFSET $2`;
}

const statements = new Map<string, Statement<AdminUser>>();

/**
 * One statement for each order, direction and with or without a search. A search is planned for its text: one that fits
 * few names is read from the index of trigrams and sorted, one that fits many in the order of the list.
 */
export function pageStatement(sortBy: Indexed, reversed: boolean, isSearch: boolean): Statement<AdminUser> {
  const name = ["admin_users", sortBy, ...(reversed ? ["reversed"] : []), ...(isSearch ? ["search"] : [])].join("_");
  const known = statements.get(name);
  if (known !== undefined) return known;
  const { direction } = orders[sortBy];
  const statement = defineStatement({
    name,
    text: `SELECT ${columns}
      FROM (${entriesOf(sortBy, reversed, isSearch)}) d
      CROSS JOIN LATERAL (SELECT * FROM users WHERE id = d.user_id OFFSET 0) u
      ORDER BY d.position ${direction}, d.user_id ${direction}`,
    row: userRow,
    isPlannedEachTime: isSearch,
  });
  statements.set(name, statement);
  return statement;
}

/** Counts every file's bytes anew: for administrators, and rarely. */
const byStorage = (isSearch: boolean) =>
  defineStatement({
    name: `admin_users_storage${isSearch ? "_search" : ""}`,
    text: `SELECT ${columns}, d.bytes AS storage_bytes
      FROM (
        SELECT d.user_id, coalesce(s.bytes, 0) AS bytes
        FROM user_directory d LEFT JOIN (${usesOfAccounts}) s ON s.id = d.user_id ${isSearch ? `WHERE ${matches} $3` : ""}
        ORDER BY 2 DESC, d.user_id DESC LIMIT $1 OFFSET $2) d
      CROSS JOIN LATERAL (SELECT * FROM users WHERE id = d.user_id OFFSET 0) u
      ORDER BY d.bytes DESC, d.user_id DESC`,
    row: userRow,
    isPlannedEachTime: true,
  });
const storagePages = { all: byStorage(false), search: byStorage(true) };

const total = (row: RawRow) => Number(row.total);
const countAll = defineStatement({
  name: "admin_users_count",
  text: "SELECT count(*) AS total FROM user_directory",
  row: total,
});
export const countSearch = defineStatement({
  name: "admin_users_count_search",
  text: `SELECT count(*) AS total FROM user_directory WHERE ${matches} $1`,
  row: total,
  isPlannedEachTime: true,
});

const oneStatement = defineStatement({
  name: "admin_user",
  text: `SELECT ${columns} FROM users u WHERE u.id = $1`,
  row: userRow,
});

/** A page of accounts, and how many there are. Counts of messages are as of the last `addMessageCounts`. */
export async function findUsers(
  connection: Queryable,
  query: UserPageQuery,
): Promise<{ users: AdminUser[]; total: number }> {
  const pattern = query.search === undefined || query.search === "" ? [] : [patternOf(query.search.toLowerCase())];
  const [total = 0] = await connection.query(pattern.length === 0 ? countAll : countSearch, pattern);
  const { limit, offset, reversed } = sliceOf(query, total);
  if (limit === 0) return { users: [], total };
  if (query.sort_by === "storage_bytes") {
    const statement = pattern.length === 0 ? storagePages.all : storagePages.search;
    const offset = (query.page - 1) * query.per_page;
    return { users: await connection.query(statement, [limit, offset, ...pattern]), total };
  }
  const statement = pageStatement(query.sort_by, reversed, pattern.length > 0);
  return { users: await connection.query(statement, [limit, offset, ...pattern]), total };
}

/** One account; null when there is none. */
export async function findUser(connection: Queryable, userId: string): Promise<AdminUser | null> {
  const [user] = await connection.query(oneStatement, [userId]);
  return user ?? null;
}
