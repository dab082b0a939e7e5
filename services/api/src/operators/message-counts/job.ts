import type { Database } from "@parley/database/prisma";
import { type Job, wholeRound } from "../../platform/jobs/job.js";
import { addMessageCounts } from "./repository.js";

/** Adds the newest changes to the counts, so that a reader has little to add. */
export function countMessages(database: Database): Job {
  return {
    name: "message counts",
    causes: [],
    when: { everyMs: 2_000 },
    async batch() {
      await addMessageCounts(database);
      return wholeRound();
    },
  };
}
