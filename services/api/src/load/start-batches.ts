import { setTimeout as pause } from "node:timers/promises";
import type { Closable } from "@parley/service-runtime";

/**
 * Runs batches of background work beside the requests, until it is closed. As long a pause as each took leaves at least
 * half of PostgreSQL's time to the others.
 *
 * @param options.batch does the next items, at most `size`; false when there are none
 * @param options.sizeMax items of a batch; one that fails, as with a statement that ran out of time, is tried with
 * fewer
 * @param options.intervalMs how long to wait when there are none
 * @param options.onFailure called with the error of a failed batch
 */
export function startBatches(options: {
  batch: (size: number) => Promise<boolean>;
  sizeMax: number;
  intervalMs: number;
  onFailure: (err: unknown) => void;
}): Closable {
  const { batch, sizeMax, intervalMs, onFailure } = options;
  const stop = new AbortController();
  let size = sizeMax;

  const runNext = async (): Promise<boolean> => {
    try {
      const more = await batch(size);
      size = Math.min(size * 2, sizeMax);
      return more;
    } catch (err) {
      size = Math.max(Math.floor(size / 4), 1);
      onFailure(err);
      return false;
    }
  };

  const run = async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const more = await runNext();
      const waitMs = more ? performance.now() - startedAt : intervalMs;
      await pause(waitMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
