import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { findSharedMailboxes } from "./repository.js";

const namedMax = 100;

/**
 * Warns operators of accounts that were registered before one mailbox was one account: a mail by another spelling goes
 * to the oldest.
 */
export async function warnOfSharedMailboxes({
  database,
  logger,
}: {
  database: Database;
  logger: Logger;
}): Promise<void> {
  const usernames = await findSharedMailboxes(database, namedMax);
  if (usernames.length === 0) return;
  logger.warn({ usernames }, "accounts have the mailbox of an older account, spelled otherwise");
}
