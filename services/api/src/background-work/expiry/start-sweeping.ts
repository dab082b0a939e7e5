import { setTimeout as pause } from "node:timers/promises";
import type { SqlValue, Statement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import type { Closable, Logger } from "@parley/service-runtime";

/** How often each process looks for rows whose time is over, and how many one statement takes. */
const sweepIntervalMs = 3_600_000;
const sweepBatchMax = 1_000;

/** A statement that removes rows whose time is over, or clears fields of them. */
export interface ExpirySweep {
  /** $1 is the most rows that it takes; those that another process is at are left to it. */
  statement: Statement<never>;
  /** Its values from $2 on. */
  values: readonly SqlValue[];
}

/**
 * Removes, now and every hour, what has expired. Every process does it, in short statements with pauses as long as
 * these took; doing it twice does no harm.
 */
export function startSweeping(options: {
  database: Database;
  logger: Logger;
  sweeps: readonly ExpirySweep[];
}): Closable {
  const { database, logger, sweeps } = options;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const sweep = async ({ statement, values }: ExpirySweep) => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      if ((await database.execute(statement, [sweepBatchMax, ...values])) < sweepBatchMax) return;
      await pause(performance.now() - startedAt, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const sweepAll = async () => {
    for (const each of sweeps) {
      await sweep(each).catch((err: unknown) => logger.warn({ err }, "expired rows could not be removed"));
    }
  };
  const run = () => {
    running = running.then(sweepAll);
  };
  run();
  const timer = setInterval(run, sweepIntervalMs);
  timer.unref();
  return {
    async close() {
      stop.abort();
      clearInterval(timer);
      await running;
    },
  };
}
