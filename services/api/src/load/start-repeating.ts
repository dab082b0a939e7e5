import { setTimeout as pause } from "node:timers/promises";
import { type Closable, repeat } from "@parley/service-runtime";

interface Repetition {
  /** Called with the error of work that failed. */
  onFailure: (err: unknown) => void;
  intervalMs: number;
}

/** Does work at once and then after every interval, until it is closed. */
export function startRepeating(
  options: Repetition & {
    /** Resolves soon after the signal. */
    work: (signal: AbortSignal) => Promise<unknown>;
  },
): Closable {
  const { work, onFailure, intervalMs } = options;
  const stop = new AbortController();
  const end = repeat(() => work(stop.signal).then(() => undefined, onFailure), intervalMs);
  return {
    close() {
      stop.abort();
      return end();
    },
  };
}

/**
 * Runs batches until one returns false. As long a pause as each took leaves at least half of PostgreSQL's time to the
 * requests.
 */
export async function runBatches(batch: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    if (!(await batch())) return;
    const tookMs = performance.now() - startedAt;
    await pause(tookMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Repeats batches whose items may be too many for the time of a statement.
 *
 * @param options.batch does the next items, at most `size`; false when there are none
 * @param options.sizeMax items of a batch; after a failure fewer are tried
 */
export function startBatches(
  options: Repetition & { batch: (size: number) => Promise<boolean>; sizeMax: number },
): Closable {
  const { batch, sizeMax, ...repetition } = options;
  let size = sizeMax;
  const next = async () => {
    try {
      const more = await batch(size);
      size = Math.min(size * 2, sizeMax);
      return more;
    } catch (err) {
      size = Math.max(Math.floor(size / 4), 1);
      throw err;
    }
  };
  return startRepeating({ ...repetition, work: (signal) => runBatches(next, signal) });
}
