import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { runBatches, startRepeating } from "../../platform/load/start-repeating.js";
import { expireBatch, expiredRows } from "./repository.js";

/** How often each process looks for rows whose time is over, and how many one statement takes. */
const intervalMs = 3_600_000;
const batchMax = 1_000;

/** Deletes what has expired. Every process does it; doing it twice does no harm. */
export function startExpiringRows(options: { database: Database; eventsMaxAgeMs: number; logger: Logger }): Closable {
  const { database, eventsMaxAgeMs, logger } = options;
  const onFailure = (err: unknown) => logger.warn({ err }, "expired rows could not be removed");
  return startRepeating({
    async work(signal) {
      for (const each of expiredRows(eventsMaxAgeMs)) {
        await runBatches(() => expireBatch(database, each, batchMax), signal).catch(onFailure);
      }
    },
    intervalMs,
    onFailure,
  });
}
