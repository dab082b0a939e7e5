import type { Database } from "@parley/database/prisma";
import { runOperation } from "@parley/messaging";
import type { Lifecycle, Logger, Metrics } from "@parley/service-runtime";
import { createExpiryJobs } from "../platform/jobs/expiry-repository.js";
import type { Job } from "../platform/jobs/job.js";
import { createJobCounts, runJob } from "../platform/jobs/run-job.js";
import { watchDueRows } from "./due-rows/watch.js";
import type { Features } from "./features.js";

/**
 * Starts the work of an api process beside requests. Several processes may do the same at once.
 *
 * @param options.intervalMs interval of the check for due rows
 */
export function startJobs(
  { jobs, expiries }: Pick<Features, "jobs" | "expiries">,
  options: {
    lifecycle: Lifecycle;
    database: Database;
    logger: Logger;
    metrics: Metrics;
    intervalMs?: number | undefined;
  },
): void {
  const { lifecycle, database, logger, metrics, intervalMs } = options;
  const all = [...jobs, ...createExpiryJobs(database, expiries)];
  const repeated = all.filter((job): job is Job => "batch" in job);
  const due = watchDueRows(repeated, { database, logger, intervalMs });
  lifecycle.own("due rows", due);
  const counts = createJobCounts(metrics.registry);
  for (const job of all) {
    const start = () => ("batch" in job ? runJob(job, { due: due.of(job), counts, logger }) : job.start());
    lifecycle.own(job.name, runOperation(job, start));
  }
}
