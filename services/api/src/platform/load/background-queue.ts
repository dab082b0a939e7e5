/** How many times as long as a task a cool-down takes in addition when the event loop is busy all the time. */
export const busyCoolDownFactor = 10;
/** The longest cool-down; those of an export of a million messages, 10,000 pages, take 42 minutes at most. */
export const coolDownMaxMs = 250;

/**
 * Runs tasks that are less urgent than requests, one at a time in the order of their arrival. After each comes a
 * cool-down: as long as the task took, and up to {@link busyCoolDownFactor} times as long in proportion to how busy the
 * event loop is with other work meanwhile. So an idle process gives half of its time to such work, a busy one a small part.
 */
export class BackgroundQueue {
  readonly #busyMs: () => number;
  /** Ends with the cool-down after the last task that was added. */
  #last: Promise<void> = Promise.resolve();

  /** @param busyMs for how long the event loop has had work since the process started */
  constructor(busyMs = () => performance.eventLoopUtilization().active) {
    this.#busyMs = busyMs;
  }

  /**
   * @param task should take a few milliseconds: requests wait as long for the event loop
   * @param signal cancels a task that has not begun: the promise rejects with its reason at once
   */
  run<T>(task: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const start = this.#last.then(() => performance.now());
    const result = start.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    this.#last = start.then(async (startedAt) => {
      await result.catch(() => undefined);
      await this.#coolDown(performance.now() - startedAt);
    });
    return signal === undefined ? result : unlessAborted(result, signal);
  }

  async #coolDown(tookMs: number): Promise<void> {
    const [startedAt, busyBefore] = [performance.now(), this.#busyMs()];
    await pause(Math.min(tookMs, coolDownMaxMs));
    const passedMs = performance.now() - startedAt;
    const utilization = Math.min((this.#busyMs() - busyBefore) / passedMs, 1);
    const coolDownMs = Math.min(tookMs * (1 + utilization * busyCoolDownFactor), coolDownMaxMs);
    if (coolDownMs > passedMs) await pause(coolDownMs - passedMs);
  }
}

async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
  });
  signal.addEventListener("abort", leave);
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
