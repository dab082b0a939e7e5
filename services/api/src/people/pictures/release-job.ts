import type { Database } from "@parley/database/prisma";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { pictureKeys } from "../../platform/files/storage/keys.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { deleteUnusedPictures } from "./repository.js";

/**
 * Deletes uploaded pictures that nobody uses any more, soon after their last owner gave them up. All processes take
 * part. Files that a process had not deleted when it died are orphaned files.
 */
export function deleteReleasedPictures({
  database,
  deleteFiles,
}: {
  database: Database;
  deleteFiles: DeleteFiles;
}): Job {
  return {
    name: "released pictures",
    causes: [],
    when: { everyMs: 2_000 },
    sizeMax: 100,
    async batch({ size }) {
      const deleted = await database.transaction((transaction) => deleteUnusedPictures(transaction, size));
      if (deleted === null) return untilNone(0);
      await deleteFiles(deleted.flatMap(pictureKeys));
      return { rows: deleted.length, more: true };
    },
  };
}
