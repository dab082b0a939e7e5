import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { runBatches, startRepeating } from "../../platform/load/start-repeating.js";
import { serverLogs, trimLog } from "./repository.js";

/** How often each process looks for logs that are too long. */
const intervalMs = 600_000;

/** Trims the audit and auto-moderation logs of servers to their lengths. Every process does it; twice does no harm. */
export function startTrimmingLogs({ database, logger }: { database: Database; logger: Logger }): Closable {
  return startRepeating({
    async work(signal) {
      for (const log of serverLogs) {
        const steps = trimLog(database, log);
        await runBatches(async () => (await steps.next()).done !== true, signal);
      }
    },
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "logs of servers could not be trimmed yet"),
  });
}
