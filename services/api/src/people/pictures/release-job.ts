import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { pictureKeys } from "../../platform/files/storage/keys.js";
import { startBatches } from "../../platform/load/start-repeating.js";
import { deleteUnusedPictures } from "./repository.js";

/** How often each process looks for pictures that were given up. */
const intervalMs = 2_000;
/** Pictures of one transaction. */
const sizeMax = 100;

/**
 * Deletes uploaded pictures that nobody has any more, soon after the last one gave them up. All processes take part. What a
 * process that died had not deleted of the files is an orphaned file.
 */
export function startDeletingReleasedPictures(options: {
  database: Database;
  deleteFiles: DeleteFiles;
  logger: Logger;
}): Closable {
  const { database, deleteFiles, logger } = options;
  return startBatches({
    async batch(size) {
      const deleted = await database.transaction((transaction) => deleteUnusedPictures(transaction, size));
      if (deleted === null) return false;
      await deleteFiles(deleted.flatMap(pictureKeys));
      return true;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "pictures that nobody has any more could not be removed yet"),
  });
}
