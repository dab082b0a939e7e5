import type { Queryable } from "@parley/database";
import { defineStatement } from "@parley/database";
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

const usage = "usage: add <username> | remove <username> | list";

/**
 * What an operator does to administrators, in force from the next request on: `add <username>`, `remove <username>`, `list`.
 *
 * @param write is called with each line of the outcome
 * @returns the exit code: 2 for arguments that it does not know, 1 where there is nobody of that name
 */
export async function administratorsCommand(
  database: Queryable,
  args: readonly string[],
  write: (line: string) => void,
): Promise<0 | 1 | 2> {
  const [operation, username, ...more] = args;
  if (operation === "list" && username === undefined) {
    for (const administrator of await database.query(listStatement, [])) write(administrator.username);
    return 0;
  }
  if ((operation !== "add" && operation !== "remove") || username === undefined || more.length > 0) {
    write(usage);
    return 2;
  }
  const [changed] = await database.query(setStatement, [username, operation === "add"]);
  if (changed === undefined) {
    write(`There is no account ${username}, or it is a bot's: people register first.`);
    return 1;
  }
  if (operation === "remove" && changed.admin_by_setting) {
    write(`${username} stays administrator by PARLEY_ADMINS.`);
    return 1;
  }
  write(operation === "add" ? `${username} is an administrator.` : `${username} is no administrator any more.`);
  return 0;
}
