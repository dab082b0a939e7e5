import type { Database } from "@parley/database/prisma";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { attachmentKey } from "../../platform/files/storage/keys.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { deleteBatch } from "./repository.js";

/**
 * Deletes orphans, the rows of deleted servers, channels and roles, with the files of messages, in small batches while
 * requests are served. All processes take part, each locking another entry of `orphans`; after a crash any other
 * process continues. A file whose row was deleted by a process that then died is an orphaned file.
 */
export function deleteOrphanedRows({ database, deleteFiles }: { database: Database; deleteFiles: DeleteFiles }): Job {
  return {
    name: "orphaned rows",
    causes: [],
    when: { everyMs: 2_000 },
    // Rows of one table that one statement deletes; messages with their polls and rows of attachments.
    sizeMax: 500,
    async batch({ size }) {
      const deleted = await database.transaction((transaction) => deleteBatch(transaction, size));
      if (deleted === null) return untilNone(0);
      await deleteFiles(deleted.files.map(attachmentKey));
      return { rows: deleted.rows, more: true };
    },
  };
}
