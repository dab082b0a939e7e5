import { type Database, defineStatement } from "@parley/database";

const withdrawStatement = defineStatement({
  name: "admins_withdraw",
  text: `UPDATE users SET admin_by_setting = false
    WHERE (is_admin OR admin_by_setting) AND admin_by_setting AND username <> ALL ($1::text[])`,
});

/** Bots have no password and are never administrators. */
const grantStatement = defineStatement({
  name: "admins_grant",
  text: `UPDATE users SET admin_by_setting = true
    WHERE username = ANY ($1::text[]) AND NOT admin_by_setting AND password_hash IS NOT NULL`,
});

/**
 * Makes the accounts with these names administrators, and withdraws the right from accounts that are administrators by
 * an earlier setting (docs/interface.md#18.1). It runs when a process starts and is stored in the account, so a name
 * that is registered later has no effect before the next start.
 */
export async function grantAdmins(database: Database, usernames: readonly string[]): Promise<void> {
  await database.execute(withdrawStatement, [usernames]);
  await database.execute(grantStatement, [usernames]);
}
