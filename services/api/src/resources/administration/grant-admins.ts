import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
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

/** Bots have no password and are never administrators. */
const grantStatement = defineStatement({
  name: "admins_grant",
  text: `UPDATE users u SET admin_by_setting = true FROM administrator_listings l
    WHERE u.username = ANY ($1::text[]) AND NOT u.admin_by_setting AND u.password_hash IS NOT NULL
      AND l.username = u.username AND u.created_at < l.listed_at
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

/** Names that the setting lists. */
export interface ListedAdmins {
  usernames: readonly string[];
  /** When an operator started the installation with them; undefined where only the processes' own starts are known. */
  operatorStartedAt: Date | undefined;
}

/**
 * Makes the accounts with these names administrators, and withdraws the right from accounts that are administrators by
 * an earlier setting (docs/interface.md#18.1).
 *
 * It runs at every start of a process, and processes also start after crashes, in rollouts and when more are added. A name
 * that is free at such a moment could be registered by anybody and be granted by the next start. So a name counts from the
 * first start that had it, or from the last start by an operator, and only for accounts that are older.
 */
export async function grantAdmins(database: Database, listed: ListedAdmins & { logger: Logger }): Promise<void> {
  const { usernames, operatorStartedAt, logger } = listed;
  await database.execute(listStatement, [usernames, operatorStartedAt ?? null]);
  await database.execute(withdrawStatement, [usernames]);
  const granted = await database.query(grantStatement, [usernames]);
  if (granted.length > 0) {
    logger.info(
      { usernames: granted.map(({ username }) => username) },
      "accounts became administrators by PARLEY_ADMINS",
    );
  }
  const without = await database.query(withoutStatement, [usernames]);
  if (without.length === 0) return;
  const named = (registered: boolean) =>
    without.filter((name) => name.registered === registered).map(({ username }) => username);
  logger.warn(
    { free: named(false), registered_later: named(true) },
    "names of PARLEY_ADMINS without an account, or registered after they were listed, make nobody administrator",
  );
}
