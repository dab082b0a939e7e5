import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** `$2` null: now. A clock ahead of the database's must not list a name for accounts that are still to come. */
const listStatement = defineStatement({
  name: "admins_list",
  text: `INSERT INTO administrator_listings (username, listed_at)
    SELECT username, least($2::timestamptz, now()) FROM unnest($1::text[]) username ORDER BY username
    ON CONFLICT (username) DO UPDATE SET listed_at = excluded.listed_at
      WHERE $2::timestamptz IS NOT NULL AND administrator_listings.listed_at < excluded.listed_at`,
});

const withdrawStatement = defineStatement({
  name: "admins_withdraw",
  text: `UPDATE users SET admin_by_setting = false
    WHERE (is_admin OR admin_by_setting) AND admin_by_setting AND username <> ALL ($1::text[])`,
});

/** Bots are never administrators. */
const grantStatement = defineStatement({
  name: "admins_grant",
  text: `UPDATE users u SET admin_by_setting = true FROM administrator_listings l
    WHERE u.username = ANY ($1::text[]) AND NOT u.admin_by_setting
      AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id) AND l.username = u.username AND u.created_at < l.listed_at
    RETURNING u.username`,
  row: z.object({ username: z.string() }),
});

const withoutStatement = defineStatement({
  name: "admins_without",
  text: `SELECT listed.username, u.id IS NOT NULL AS registered
    FROM unnest($1::text[]) listed (username) LEFT JOIN users u ON u.username = listed.username
    WHERE NOT coalesce(u.is_admin OR u.admin_by_setting, false) ORDER BY listed.username`,
  row: z.object({ username: z.string(), registered: z.boolean() }),
});

/** Notes since when the setting has the names, and takes the right from accounts that have it by names of before. */
export async function listAdmins(
  connection: Queryable,
  usernames: readonly string[],
  listedAt: Date | undefined,
): Promise<void> {
  await connection.execute(listStatement, [usernames, listedAt ?? null]);
  await connection.execute(withdrawStatement, [usernames]);
}

/** Gives the right to accounts with the names that are older than the listing. @returns the names of these accounts */
export async function grantListed(connection: Queryable, usernames: readonly string[]): Promise<string[]> {
  return (await connection.query(grantStatement, [usernames])).map(({ username }) => username);
}

/** The names without an administrator's account, and whether each has an account. */
export function findWithoutAdmin(connection: Queryable, usernames: readonly string[]) {
  return connection.query(withoutStatement, [usernames]);
}

const totalsStatement = defineStatement({
  name: "admin_stats",
  text: `SELECT (SELECT count(*) FROM user_directory) AS total_users,
    (SELECT count(*) FROM servers) AS total_servers,
    (SELECT coalesce(sum(messages), 0) FROM server_message_counts)
      + (SELECT coalesce(sum(c.messages), 0) FROM message_count_changes c JOIN servers s ON s.id = c.server_id)
      AS total_messages,
    (SELECT count(*) FROM channels) AS total_channels,
    (SELECT coalesce(sum(file_size), 0) FROM attachments)
      + (SELECT coalesce(sum(file_size), 0) FROM dm_attachments) + (SELECT coalesce(sum(file_size), 0) FROM custom_emojis)
      AS storage_bytes`,
  row: z.object({
    total_users: z.coerce.number(),
    total_servers: z.coerce.number(),
    total_messages: z.coerce.number(),
    total_channels: z.coerce.number(),
    storage_bytes: z.coerce.number(),
  }),
});

const pingStatement = defineStatement({ name: "admin_stats_ping", text: "SELECT 1 AS one", row: () => 1 });

/** Figures of the whole installation. */
export async function readTotals(connection: Queryable) {
  const [totals] = await connection.query(totalsStatement, []);
  return totals;
}

/** Asks PostgreSQL for nothing. */
export async function ping(connection: Queryable): Promise<void> {
  await connection.query(pingStatement, []);
}
