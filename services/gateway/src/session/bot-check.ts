import { type Database, defineStatement, type RawRow } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { botCheckMs } from "../limits.js";

/** The first version of its sessions that is in force for each bot; a revoked bot has none. */
const versionsInForce = defineStatement({
  name: "gateway_bot_versions",
  text: `
SELECT u.id AS user_id, u.session_version FROM users u JOIN bots b ON b.user_id = u.id
WHERE u.id = ANY($1::uuid[]) AND b.revoked_at IS NULL`,
  row: (row: RawRow) => [String(row.user_id), Number(row.session_version)] as const,
});

/**
 * Closes the connections of bots that were revoked or given another token even if the event of that was lost:
 * periodically, and after every reconnection to NATS. One statement checks all bots of this node; after a failure the
 * next round checks them. A check that is under way at a reconnection is repeated, as it may have read the database
 * before the change.
 *
 * @returns stops the check
 */
export function startBotCheck(options: {
  connections: () => Iterable<Pick<Connection, "isBot" | "userId" | "sessionVersion" | "closeForGood">>;
  database: Pick<Database, "query">;
  messaging: Pick<Messaging, "onConnectionChange">;
  logger: Logger;
  intervalMs?: number | undefined;
}): () => void {
  const { connections, database, messaging, logger, intervalMs = botCheckMs } = options;
  let isChecking = false;
  let isOutdated = false;

  async function check(): Promise<void> {
    const bots = new Set([...connections()].flatMap(({ isBot, userId }) => (isBot ? [userId] : [])));
    if (bots.size === 0) return;
    const inForce = new Map(await database.query(versionsInForce, [[...bots]]));
    for (const connection of [...connections()]) {
      const { isBot, userId, sessionVersion } = connection;
      // A bot that connected meanwhile was not asked about; a later version than the one read is in force, too.
      if (!isBot || !bots.has(userId) || sessionVersion >= (inForce.get(userId) ?? Number.POSITIVE_INFINITY)) continue;
      connection.closeForGood();
    }
  }

  const run = () => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((err: unknown) => logger.warn({ err }, "connected bots could not be checked"))
      .finally(() => {
        isChecking = false;
        if (!isOutdated) return;
        isOutdated = false;
        run();
      });
  };
  const timer = setInterval(run, intervalMs);
  timer.unref();
  const removeListener = messaging.onConnectionChange((connected) => {
    if (!connected) return;
    isOutdated = isChecking;
    run();
  });
  return () => {
    clearInterval(timer);
    removeListener();
  };
}
