import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Exports in this process; those that wait are answered sooner than a proxy gives up. */
export const exportQueue: FairQueueLimits = {
  runningMax: 4,
  runningPerTenantMax: 1,
  waitingMax: 20,
  waitingPerTenantMax: 1,
  waitMaxMs: 100_000,
};
/** Messages, members and people that are read at a time. */
export const exportPageMax = 100;
/** How long a client may take. */
export const exportTimeoutMs = 3_600_000;
/** … for an export with its files. */
export const wholeExportTimeoutMs = 12 * 3_600_000;
