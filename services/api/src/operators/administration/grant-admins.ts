import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { findWithoutAdmin, grantListed, listAdmins } from "./repository.js";

/** Names that the setting lists. */
export interface ListedAdmins {
  usernames: readonly string[];
  /** When an operator started the installation with them; undefined where only the processes' own starts are known. */
  operatorStartedAt: Date | undefined;
}

/**
 * Makes the accounts with these names administrators, and withdraws the right from accounts that are administrators by
 * an earlier setting (docs/protocol/operators.md#18.1).
 *
 * It runs at every start of a process, and processes also start after crashes, in rollouts and when more are added. A name
 * that is free at such a moment could be registered by anybody and be granted by the next start. So a name counts from the
 * first start that had it, or from the last start by an operator, and only for accounts that are older.
 */
export async function grantAdmins(database: Database, listed: ListedAdmins & { logger: Logger }): Promise<void> {
  const { usernames, operatorStartedAt, logger } = listed;
  await listAdmins(database, usernames, operatorStartedAt);
  const granted = await grantListed(database, usernames);
  if (granted.length > 0) {
    logger.info({ usernames: granted }, "accounts became administrators by PARLEY_ADMINS");
  }
  const without = await findWithoutAdmin(database, usernames);
  if (without.length === 0) return;
  const named = (registered: boolean) =>
    without.filter((name) => name.registered === registered).map(({ username }) => username);
  logger.warn(
    { free: named(false), registered_later: named(true) },
    "names of PARLEY_ADMINS without an account, or registered after they were listed, make nobody administrator",
  );
}
