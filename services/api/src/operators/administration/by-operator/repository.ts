import { type Database, defineStatement, type Queryable } from "@parley/database";
import { z } from "zod";

const lockStatement = defineStatement({
  name: "admin_lock_by_operator",
  text: "SELECT id FROM instance_settings FOR UPDATE",
  row: () => null,
});

/** Bots are never administrators; one administrator who can act remains. */
const setStatement = defineStatement({
  name: "admin_set_by_operator",
  text: `UPDATE users u SET is_admin = $2
    WHERE username = $1 AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)
      AND ($2 OR NOT is_admin OR admin_by_setting OR EXISTS (SELECT FROM users o
        WHERE o.id <> u.id AND (o.is_admin OR o.admin_by_setting) AND o.disabled_at IS NULL))
    RETURNING admin_by_setting`,
  row: z.object({ admin_by_setting: z.boolean() }),
});

const isAdministratorStatement = defineStatement({
  name: "admin_is_by_operator",
  text: `SELECT FROM users WHERE username = $1 AND is_admin`,
  row: () => null,
});

const listStatement = defineStatement({
  name: "admin_list_by_operator",
  text: `SELECT username FROM users WHERE is_admin OR admin_by_setting ORDER BY username`,
  row: z.object({ username: z.string() }),
});

/**
 * Gives or takes the right.
 *
 * @returns whether the setting grants it too; `last` where the account is the last administrator, and stays one; null when nobody has
 * the name, or a bot
 */
export async function setAdministrator(
  database: Database,
  username: string,
  isAdmin: boolean,
): Promise<{ bySetting: boolean } | "last" | null> {
  return database.transaction(async (transaction) => {
    await transaction.query(lockStatement, []);
    const [changed] = await transaction.query(setStatement, [username, isAdmin]);
    if (changed !== undefined) return { bySetting: changed.admin_by_setting };
    return (await transaction.query(isAdministratorStatement, [username])).length > 0 ? "last" : null;
  });
}

/** Their names, in order. */
export async function listAdministrators(connection: Queryable): Promise<string[]> {
  return (await connection.query(listStatement, [])).map(({ username }) => username);
}
