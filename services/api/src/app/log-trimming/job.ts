import type { Database } from "@parley/database/prisma";
import type { Job } from "../../platform/jobs/job.js";
import { serverLogs, trimLog } from "./repository.js";

/** Trims the audit and auto-moderation logs of servers to their lengths. Every process does it; twice does no harm. */
export function trimLogs(database: Database): Job {
  let steps = trimAll(database);
  return {
    name: "log trimming",
    causes: [],
    when: { everyMs: 600_000 },
    async batch() {
      // A failed generator is at its end, so the next round begins anew.
      const { done, value } = await steps.next();
      if (done) steps = trimAll(database);
      return { rows: value ?? 0, more: done !== true };
    },
  };
}

async function* trimAll(database: Database): AsyncGenerator<number, undefined> {
  for (const log of serverLogs) yield* trimLog(database, log);
}
