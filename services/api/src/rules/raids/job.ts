import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Closable, Logger } from "@parley/service-runtime";
import type { RestingRows } from "../../platform/load/resting-rows.js";
import { startBatches } from "../../platform/load/start-repeating.js";
import { findDue } from "./repository.js";
import { announceChange } from "./state.js";

/** How often each process looks for raids that are over or have become longer. */
const intervalMs = 1_000;
/** Servers that a process takes at a time. */
const sizeMax = 50;

/**
 * Announces the ends of raids, which are over by their time alone, and that refused joins have made one longer. Every
 * process does it; the row that is changed with the event sees to it that each is announced once.
 */
export function startAnnouncingRaids(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  resting: RestingRows;
  logger: Logger;
}): Closable {
  const { database, outbox, resting, logger } = options;
  return startBatches({
    async batch(size) {
      const due = await findDue(database, size, resting.keys());
      await resting.each(due, String, (serverId) =>
        outbox.transaction([{ server_id: serverId }], (transaction, emit) =>
          announceChange(transaction, emit, serverId),
        ),
      );
      return due.length > 0;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "changes of raids could not be announced yet"),
  });
}
