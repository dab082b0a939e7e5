import { AsyncResource } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Closable, repeat } from "@parley/service-runtime";

/** Says when a job has work. */
export interface DueRows {
  /** Has `begin` called whenever rows are due, again and again while they are. @returns ends that */
  subscribe(begin: () => void): () => void;
}

type Repetition = {
  /** Called with the error of work that failed. */
  onFailure: (err: unknown) => void;
} & (
  | {
      /** The pause after each round. */
      intervalMs: number;
    }
  | { due: DueRows }
);

/** Does work at once and then after every interval, or whenever rows are due, until it is closed. */
export function startRepeating(
  options: Repetition & {
    /** Resolves soon after the signal. */
    work: (signal: AbortSignal) => Promise<unknown>;
  },
): Closable {
  const { work, onFailure } = options;
  const stop = new AbortController();
  const round = () => work(stop.signal).then(() => undefined, onFailure);
  const end = "due" in options ? runWhenDue(round, options.due) : repeat(round, options.intervalMs);
  return {
    close() {
      stop.abort();
      return end();
    },
  };
}

/** One round at a time: rows that are due during a round are due after it, too. Each runs in the context of this call. */
function runWhenDue(round: () => Promise<void>, due: DueRows): () => Promise<void> {
  let running: Promise<void> | undefined;
  const begin = () => {
    running ??= round().finally(() => {
      running = undefined;
    });
  };
  const unsubscribe = due.subscribe(AsyncResource.bind(begin));
  return async () => {
    unsubscribe();
    await running;
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
