import type { Queryable } from "@parley/database/prisma";
import { type Closable, type Logger, repeat } from "@parley/service-runtime";
import type { DueRows } from "../../load/start-repeating.js";
import { type DueJob, findDueJobs } from "./repository.js";

/** How often each process asks whether rows are due. */
const lookIntervalMs = 200;

/**
 * Asks every {@link lookIntervalMs}, with one statement for all jobs, which of them have rows that are due. An idle
 * process would spend most of its time on a claim of each job otherwise.
 */
export function watchDueRows({ database, logger }: { database: Pick<Queryable, "query">; logger: Logger }) {
  const begins = new Map<DueJob, () => void>();
  const look = async () => {
    for (const job of await findDueJobs(database)) begins.get(job)?.();
  };
  const stop = repeat(
    () => look().catch((err: unknown) => logger.warn({ err }, "the rows that are due could not be read")),
    lookIntervalMs,
  );
  const of = (job: DueJob): DueRows => ({
    subscribe(begin) {
      begins.set(job, begin);
      return () => begins.delete(job);
    },
  });
  return { of, close: stop } satisfies Closable & { of: unknown };
}
