import type { Database } from "@parley/database/prisma";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { type FileToDelete, forgetFiles, takeFiles } from "./repository.js";

/**
 * Deletes the files of deleted rows from the storage (docs/protocol/storage.md#34.3). All processes take part; what one that
 * died had taken, and what the storage refused, is tried again a minute later.
 */
export function deleteFilesOfRows({ database, storage }: { database: Database; storage: FileStorage }): Job {
  return {
    name: "file deletions",
    causes: [],
    when: { everyMs: 2_000 },
    sizeMax: 100,
    async batch({ size }) {
      const taken = await takeFiles(database, size);
      const deleted: FileToDelete[] = [];
      const results = await Promise.allSettled(
        taken.map(async (file) => {
          await storage.delete(file.key);
          deleted.push(file);
        }),
      );
      if (deleted.length > 0) {
        await forgetFiles(
          database,
          deleted.map(({ id }) => id),
        );
      }
      for (const result of results) if (result.status === "rejected") throw result.reason;
      return untilNone(taken.length);
    },
  };
}
