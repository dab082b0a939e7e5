/**
 * Milliseconds of the machine's monotonic clock, so that times taken in different processes can be subtracted. Read
 * directly: an offset to `performance.now()` would be wrong by however long the process was held up while taking it.
 */
export function clockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
