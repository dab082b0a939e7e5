import type { Queryable } from "@parley/database/prisma";
import { type Closable, type Logger, repeat } from "@parley/service-runtime";
import type { Job } from "../../platform/jobs/job.js";
import type { DueRows } from "../../platform/jobs/repeat.js";
import { createFindDueJobs } from "./repository.js";

/** How often each process asks whether rows are due. */
const lookIntervalMs = 200;

/**
 * Asks at intervals, with one statement for all jobs, which of them have rows that are due. An idle
 * process would spend most of its time on a claim of each job otherwise.
 */
export function watchDueRows(
  jobs: readonly Job[],
  {
    database,
    logger,
    intervalMs = lookIntervalMs,
  }: { database: Pick<Queryable, "query">; logger: Logger; intervalMs?: number | undefined },
): Closable & { of(job: Job): DueRows } {
  const findDueJobs = createFindDueJobs(database, jobs);
  const begins = new Map<string, () => void>();
  const look = async () => {
    for (const name of await findDueJobs()) begins.get(name)?.();
  };
  const stop = repeat(
    () => look().catch((err: unknown) => logger.warn({ err }, "the rows that are due could not be read")),
    intervalMs,
  );
  const of = ({ name }: Job): DueRows => ({
    subscribe(begin) {
      begins.set(name, begin);
      return () => begins.delete(name);
    },
  });
  return { of, close: stop };
}
