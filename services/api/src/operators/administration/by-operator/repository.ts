import { defineStatement, type Queryable } from "@parley/database";
import { z } from "zod";

/** Bots are never administrators. */
const setStatement = defineStatement({
  name: "admin_set_by_operator",
  text: `UPDATE users u SET is_admin = $2
    WHERE username = $1 AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id) RETURNING admin_by_setting`,
  row: z.object({ admin_by_setting: z.boolean() }),
});

const listStatement = defineStatement({
  name: "admin_list_by_operator",
  text: `SELECT username FROM users WHERE is_admin OR admin_by_setting ORDER BY username`,
  row: z.object({ username: z.string() }),
});

/** Gives or takes the right. @returns whether the setting grants it too; null when nobody has the name, or a bot */
export async function setAdministrator(connection: Queryable, username: string, isAdmin: boolean) {
  const [changed] = await connection.query(setStatement, [username, isAdmin]);
  return changed === undefined ? null : { bySetting: changed.admin_by_setting };
}

/** Their names, in order. */
export async function listAdministrators(connection: Queryable): Promise<string[]> {
  return (await connection.query(listStatement, [])).map(({ username }) => username);
}
