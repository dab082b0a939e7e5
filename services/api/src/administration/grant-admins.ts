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
 * Makes the accounts of these names administrators, and those that were so by an earlier setting no longer
 * (docs/interface.md#18.1). It is done when a process starts and kept with the account: whoever registers a listed name
 * later is none.
 */
export async function grantAdmins(database: Database, usernames: readonly string[]): Promise<void> {
  await database.execute(withdrawStatement, [usernames]);
  await database.execute(grantStatement, [usernames]);
}
