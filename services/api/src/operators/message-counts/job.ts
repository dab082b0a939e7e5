import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { startRepeating } from "../../platform/load/start-repeating.js";
import { addMessageCounts } from "./repository.js";

/** How often each process adds the newest changes to the counts, so that there is little to add for who reads them. */
const intervalMs = 2_000;

export function startCountingMessages({ database, logger }: { database: Database; logger: Logger }): Closable {
  return startRepeating({
    work: () => addMessageCounts(database),
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "messages could not be counted yet"),
  });
}
