import type { Database } from "@parley/database";
import { listAdministrators, setAdministrator } from "./repository.js";

const usage = "usage: add <username> | remove <username> | list";

/**
 * Lets an operator change the administrators, in force from the next request on: `add <username>`, `remove <username>`,
 * `list`.
 *
 * @param write is called with each line of the outcome
 * @returns the exit code: 2 for unknown arguments, 1 for an unknown name, and for the last administrator
 */
export async function administratorsCommand(
  database: Database,
  args: readonly string[],
  write: (line: string) => void,
): Promise<0 | 1 | 2> {
  const [operation, username, ...more] = args;
  if (operation === "list" && username === undefined) {
    for (const name of await listAdministrators(database)) write(name);
    return 0;
  }
  if ((operation !== "add" && operation !== "remove") || username === undefined || more.length > 0) {
    write(usage);
    return 2;
  }
  const changed = await setAdministrator(database, username, operation === "add");
  if (changed === null) {
    write(`There is no account ${username}, or it is a bot's: people register first.`);
    return 1;
  }
  if (changed === "last") {
    write(`${username} is the last administrator: add another one first.`);
    return 1;
  }
  if (operation === "remove" && changed.bySetting) {
    write(`${username} stays administrator by PARLEY_ADMINS.`);
    return 1;
  }
  write(operation === "add" ? `${username} is an administrator.` : `${username} is no administrator any more.`);
  return 0;
}
