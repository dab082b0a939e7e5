import type { Closable, Logger } from "@parley/service-runtime";
import { Counter, type Registry } from "prom-client";
import type { Job } from "./job.js";
import { type DueRows, runBatches, startRepeating } from "./repeat.js";
import { createRowFailures, RestingRows } from "./resting-rows.js";

/** The counters that the jobs of a process share. */
export type JobCounts = ReturnType<typeof createJobCounts>;

export function createJobCounts(registry: Registry) {
  return {
    rounds: new Counter({
      name: "job_rounds_total",
      help: "Rounds of background jobs: done, or ended by a failure",
      labelNames: ["work", "outcome"],
      registers: [registry],
    }),
    rows: new Counter({
      name: "job_rows_total",
      help: "Rows that background jobs have done",
      labelNames: ["work"],
      registers: [registry],
    }),
    failures: createRowFailures(registry),
  };
}

/**
 * Runs a job until it is closed: at once and then after every pause, or whenever rows are due.
 *
 * @param options.due says when rows are due, for a job that says so
 */
export function runJob(
  { name, when, batch, sizeMax = 1, lanes = 1, close }: Job,
  { due, counts, logger }: { due: DueRows; counts: JobCounts; logger: Logger },
): Closable {
  const labels = { work: name };
  const resting = new RestingRows({ job: name, failures: counts.failures, logger });
  // From the beginning, so that the first failure is an increase.
  for (const outcome of ["done", "failed"]) counts.rounds.inc({ ...labels, outcome }, 0);
  counts.rows.inc(labels, 0);
  let size = sizeMax;

  const next = async (signal: AbortSignal) => {
    try {
      const { rows, more } = await batch({ size, signal, resting });
      counts.rows.inc(labels, rows);
      size = Math.min(size * 2, sizeMax);
      return more;
    } catch (err) {
      // The statement may have timed out: with fewer rows it has enough time.
      size = Math.max(Math.floor(size / 4), 1);
      throw err;
    }
  };
  const round = async (signal: AbortSignal) => {
    await Promise.all(Array.from({ length: lanes }, () => runBatches(() => next(signal), signal)));
    counts.rounds.inc({ ...labels, outcome: "done" });
  };
  const repetition = startRepeating({
    work: round,
    ...("due" in when ? { due } : { intervalMs: when.everyMs }),
    onFailure(err) {
      counts.rounds.inc({ ...labels, outcome: "failed" });
      logger.warn({ err, job: name }, "a round of a job failed; the next one goes on");
    },
  });
  return {
    async close() {
      await Promise.all([repetition.close(), close?.()]);
    },
  };
}
