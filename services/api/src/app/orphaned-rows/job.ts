import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { attachmentKey } from "../../platform/files/storage/keys.js";
import { startBatches } from "../../platform/load/start-repeating.js";
import { deleteBatch } from "./repository.js";

/** How often each process looks for orphans. */
const intervalMs = 2_000;
/** Rows of a table deleted in one statement; messages with their polls and rows of attachments. */
const sizeMax = 500;

/**
 * Deletes orphans, the rows of deleted servers, channels and roles, with the files of messages, in small batches while
 * requests are served. All processes take part, each locking another entry of `orphans`; after a crash any other
 * process continues. A file whose row was deleted by a process that then died is an orphaned file.
 */
export function startDeletingOrphanedRows(options: {
  database: Database;
  deleteFiles: DeleteFiles;
  logger: Logger;
}): Closable {
  const { database, deleteFiles, logger } = options;
  return startBatches({
    async batch(size) {
      const files = await database.transaction((transaction) => deleteBatch(transaction, size));
      if (files === null) return false;
      await deleteFiles(files.map(attachmentKey));
      return true;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "rows of something deleted could not be removed yet"),
  });
}
