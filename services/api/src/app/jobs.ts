import type { Database } from "@parley/database/prisma";
import { runOperation } from "@parley/messaging";
import type { Lifecycle, Logger } from "@parley/service-runtime";
import type { Job } from "../platform/feature.js";
import { watchDueRows } from "./due-rows/watch.js";

/**
 * Starts what every api process does beside requests. Several processes may do so at once.
 *
 * @param options.intervalMs how often it is asked which rows are due
 */
export function startJobs(
  jobs: readonly Job[],
  options: { lifecycle: Lifecycle; database: Database; logger: Logger; intervalMs?: number | undefined },
): void {
  const { lifecycle } = options;
  const due = watchDueRows(jobs, options);
  lifecycle.own("due rows", due);
  for (const job of jobs) {
    const { name, causes, start } = job;
    lifecycle.own(
      name,
      runOperation({ name, causes }, () => start(due.of(job))),
    );
  }
}
