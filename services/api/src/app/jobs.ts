import type { Database } from "@parley/database/prisma";
import { runOperation } from "@parley/messaging";
import type { Lifecycle, Logger } from "@parley/service-runtime";
import type { Job } from "../platform/feature.js";
import { watchDueRows } from "./due-rows/watch.js";

/** Starts what every api process does beside requests. Several processes may do so at once. */
export function startJobs(
  jobs: readonly Job[],
  { lifecycle, database, logger }: { lifecycle: Lifecycle; database: Database; logger: Logger },
): void {
  const due = watchDueRows(jobs, { database, logger });
  lifecycle.own("due rows", due);
  for (const job of jobs) {
    const { name, causes, start } = job;
    lifecycle.own(
      name,
      runOperation({ name, causes }, () => start(due.of(job))),
    );
  }
}
