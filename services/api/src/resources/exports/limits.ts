import type { FairQueueLimits } from "../../load/fair-queue.js";

/** Exports in this process; those that wait are answered sooner than a proxy gives up. */
export const exportQueue: FairQueueLimits = {
  runningMax: 4,
  runningPerTenantMax: 1,
  waitingMax: 20,
  waitingPerTenantMax: 1,
  waitMaxMs: 100_000,
};
/** Seconds after which a refused caller may try again (Retry-After). */
export const retryAfterSeconds = 60;
/** Messages and members that are read at a time. */
export const exportPageMax = 100;
/** The least that a client takes while something waits for it: these bytes … */
export const exportBytesMin = 512 * 1024;
/** … in this time, a mebibyte a minute. */
export const exportPaceWindowMs = 30_000;
/** How often what a client has taken is looked at. */
export const exportPaceCheckMs = 1_000;
/** How long a client may take in all. */
export const exportTimeoutMs = 3_600_000;
/** zlib's quickest: text shrinks nearly as well, at a third of the processor time. */
export const compressionLevel = 1;
