/**
 * After each piece of background work the process rests as long as the piece took, and so many times as long in addition
 * when its event loop is busy all the time.
 */
export const busyRestFactor = 10;
/** The longest rest after one piece; those of an export of a million messages, 10,000 pages, take 42 minutes at most. */
export const restMaxMs = 250;

/**
 * Runs pieces of work that are less urgent than requests, one at a time in the order of their arrival. After each the
 * process rests: as long as the piece took, and up to {@link busyRestFactor} times as long in proportion to how busy the
 * event loop is with other work meanwhile. So an idle process gives half of its time to such work, a busy one a small part.
 */
export class BackgroundQueue {
  readonly #busyMs: () => number;
  /** Ends with the rest after the last piece that was added. */
  #last: Promise<void> = Promise.resolve();

  /** @param busyMs for how long the event loop has had work since the process started */
  constructor(busyMs = () => performance.eventLoopUtilization().active) {
    this.#busyMs = busyMs;
  }

  /**
   * @param piece should take a few milliseconds: requests wait as long for the event loop
   * @param signal drops a piece that has not begun: the promise rejects with its reason at once
   */
  run<T>(piece: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const start = this.#last.then(() => performance.now());
    const result = start.then(() => {
      signal?.throwIfAborted();
      return piece();
    });
    this.#last = start.then(async (startedAt) => {
      await result.catch(() => undefined);
      await this.#rest(performance.now() - startedAt);
    });
    return signal === undefined ? result : unlessAborted(result, signal);
  }

  async #rest(tookMs: number): Promise<void> {
    const [startedAt, busyBefore] = [performance.now(), this.#busyMs()];
    await pause(Math.min(tookMs, restMaxMs));
    const restedMs = performance.now() - startedAt;
    const utilization = Math.min((this.#busyMs() - busyBefore) / restedMs, 1);
    const restMs = Math.min(tookMs * (1 + utilization * busyRestFactor), restMaxMs);
    if (restMs > restedMs) await pause(restMs - restedMs);
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
