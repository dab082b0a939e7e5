/** Exponential backoff. */
export interface Backoff {
  /** Longest first wait, in milliseconds. */
  readonly baseMs: number;
  /** Longest wait of all, in milliseconds. */
  readonly maxMs: number;
}

/** A wait before an attempt with full jitter: clients that failed together do not come back together. */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(failures, 30));
}

/** Waits; rejects with the reason of the signal when it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
