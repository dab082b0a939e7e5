import type { Database } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import { startBatches } from "../load/start-batches.js";
import type { Discard } from "../storage/discard.js";
import { attachmentKey } from "../storage/keys.js";
import { purgeBatch } from "./repository.js";

/** How often each process looks for what deleted servers, channels and roles have left. */
const purgeIntervalMs = 2_000;
/** Rows of a table removed in one statement; messages with their polls and rows of attachments. */
const purgeBatchMax = 500;

/**
 * Removes what belonged to deleted servers, channels and roles, with the files of messages, in small batches beside the
 * requests. Every process does it, each at another table or channel; what a crashed one leaves, another one continues. A
 * file whose process died between its row and itself is left to the sweep.
 *
 * @param options.eventsMaxAgeMs how long the stream keeps events
 */
export function startPurging(options: {
  database: Database;
  discard: Discard;
  logger: Logger;
  eventsMaxAgeMs: number;
}): Closable {
  const { database, discard, logger, eventsMaxAgeMs } = options;
  return startBatches({
    async batch(size) {
      const files = await database.transaction((transaction) => purgeBatch(transaction, { size, eventsMaxAgeMs }));
      if (files === null) return false;
      await discard(files.map(attachmentKey));
      return true;
    },
    sizeMax: purgeBatchMax,
    intervalMs: purgeIntervalMs,
    onFailure: (err) => logger.warn({ err }, "rows of something deleted could not be removed yet"),
  });
}
