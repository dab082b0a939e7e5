/** What a run of many operations took. */
export interface Run {
  perSecond: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Runs an operation again and again on a number of lanes at once.
 *
 * @param options.durationMs how long; operations under way then are waited for
 */
export async function runLanes(
  options: { lanes: number; durationMs: number },
  operation: (lane: number) => Promise<unknown>,
): Promise<Run> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + options.durationMs;
  const lane = async (number: number) => {
    while (performance.now() < until) {
      const before = performance.now();
      await operation(number);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, (_, number) => lane(number)));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  return { perSecond: latencies.length / seconds, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

/** A percentile of ascending values. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Prints a line of the report; benchmarks report, they never fail on time. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
