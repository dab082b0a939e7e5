import type { ServerResponse } from "node:http";
import { takenFrom } from "../../platform/http/taken-bytes.js";

/** Interval of the check of a client's pace. */
const exportPaceCheckMs = 1_000;

/** … in this time, a mebibyte a minute. */
const exportPaceWindowMs = 30_000;

/** The least that a client takes while something waits for it: these bytes … */
const exportBytesMin = 512 * 1024;

/** The least that a receiver takes while something waits for it: bytes in a window of time. */
interface Pace {
  bytesMin: number;
  windowMs: number;
  checkMs: number;
}

const usualPace: Pace = { bytesMin: exportBytesMin, windowMs: exportPaceWindowMs, checkMs: exportPaceCheckMs };

/**
 * Closes a response whose receiver takes less than it has to, so that it does not occupy the place of others. Time in
 * which nothing waits for the receiver does not count: then the server's reading is slow.
 *
 * @returns stops it
 */
export function requirePace(response: ServerResponse, { bytesMin, windowMs, checkMs }: Pace = usualPace): () => void {
  let windowFrom = performance.now();
  let takenBefore = takenBy(response);
  const timer = setInterval(() => {
    const isWaitedFor = response.writableLength > 0;
    if (isWaitedFor && performance.now() - windowFrom < windowMs) return;
    const taken = takenBy(response);
    if (isWaitedFor && taken - takenBefore < bytesMin) response.destroy();
    windowFrom = performance.now();
    takenBefore = taken;
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

const takenBy = ({ socket }: ServerResponse): number => (socket === null ? 0 : takenFrom(socket));
