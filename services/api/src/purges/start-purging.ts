import type { Database } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import { startBatches } from "../load/start-batches.js";
import type { Discard } from "../storage/discard.js";
import { attachmentKey } from "../storage/keys.js";
import { purgeBatch } from "./repository.js";

/** How often each process looks for deleted channels whose messages are still stored. */
const purgeIntervalMs = 2_000;
/** Messages removed in one statement, with their reactions, polls, votes and rows of attachments. */
const purgeBatchMax = 500;

/**
 * Removes the messages of deleted channels and servers with their files, in small batches beside the requests. Every
 * process does it, each at another channel; what a crashed one leaves, another one continues. A file whose process
 * died between its row and itself is left to the sweep. Messages with very many reactions take their time: such a batch
 * is tried with fewer.
 */
export function startPurging(options: { database: Database; discard: Discard; logger: Logger }): Closable {
  const { database, discard, logger } = options;
  return startBatches({
    async batch(size) {
      const files = await purgeBatch(database, size);
      if (files === null) return false;
      await discard(files.map(attachmentKey));
      return true;
    },
    sizeMax: purgeBatchMax,
    intervalMs: purgeIntervalMs,
    onFailure: (err) => logger.warn({ err }, "messages of a deleted channel could not be removed yet"),
  });
}
