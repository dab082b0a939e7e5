import type { Database } from "@parley/database/prisma";
import { type Job, untilNone, wholeRound } from "../../platform/jobs/job.js";
import { addStorageChanges, countOldFiles } from "./repository.js";

/** Keeps the sums of files beside requests (docs/protocol/storage.md#34.3). */
export function countStorage(database: Database): Job[] {
  return [
    {
      name: "storage counts",
      causes: [],
      when: { everyMs: 2_000 },
      async batch() {
        await addStorageChanges(database);
        return wholeRound();
      },
    },
    {
      name: "old files",
      causes: [],
      when: { everyMs: 10_000 },
      sizeMax: 500,
      batch: async ({ size }) => untilNone(await countOldFiles(database, size)),
    },
  ];
}
