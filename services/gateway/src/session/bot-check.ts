import { type Database, defineStatement, type RawRow, rowsOfArrays } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { botCheckMs } from "../limits.js";

const revokedBots = defineStatement({
  name: "gateway_revoked_bots",
  text: `
SELECT asked.user_id FROM ${rowsOfArrays("uuid")} AS asked (user_id)
WHERE NOT EXISTS (SELECT FROM bots b WHERE b.user_id = asked.user_id AND b.revoked_at IS NULL)`,
  row: (row: RawRow) => String(row.user_id),
});

/**
 * Closes the connections of revoked bots even if the event of the revocation was lost: periodically, and after every
 * reconnection to NATS. One statement checks all bots of this node; after a failure the next round checks them. A check
 * that is under way at a reconnection is repeated, as it may have read the database before the revocation.
 *
 * @returns stops the check
 */
export function startBotCheck(options: {
  connections: () => Iterable<Pick<Connection, "isBot" | "userId" | "closeForGood">>;
  database: Pick<Database, "query">;
  messaging: Pick<Messaging, "onConnectionChange">;
  logger: Logger;
  intervalMs?: number;
}): () => void {
  const { connections, database, messaging, logger, intervalMs = botCheckMs } = options;
  let isChecking = false;
  let isOutdated = false;

  async function check(): Promise<void> {
    const bots = new Set([...connections()].flatMap(({ isBot, userId }) => (isBot ? [userId] : [])));
    if (bots.size === 0) return;
    const revoked = new Set(await database.query(revokedBots, [[...bots]]));
    if (revoked.size === 0) return;
    for (const connection of [...connections()]) {
      if (connection.isBot && revoked.has(connection.userId)) connection.closeForGood();
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
