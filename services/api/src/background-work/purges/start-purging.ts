import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import { startBatches } from "../../load/start-batches.js";
import type { Discard } from "../../storage/discard.js";
import { attachmentKey } from "../../storage/keys.js";
import { purgeBatch } from "./repository.js";

/** How often each process looks for what deleted servers, channels and roles have left. */
const purgeIntervalMs = 2_000;
/** Rows of a table removed in one statement; messages with their polls and rows of attachments. */
const purgeBatchMax = 500;

/**
 * Removes orphans, the rows of deleted servers, channels and roles, with the files of messages, in small batches while
 * requests are served. All processes take part, each locking another entry of `orphans`; after a crash any other
 * process continues. A file whose row was removed by a process that then died is removed by the sweep of files.
 */
export function startPurging(options: { database: Database; discard: Discard; logger: Logger }): Closable {
  const { database, discard, logger } = options;
  return startBatches({
    async batch(size) {
      const files = await database.transaction((transaction) => purgeBatch(transaction, size));
      if (files === null) return false;
      await discard(files.map(attachmentKey));
      return true;
    },
    sizeMax: purgeBatchMax,
    intervalMs: purgeIntervalMs,
    onFailure: (err) => logger.warn({ err }, "rows of something deleted could not be removed yet"),
  });
}
