import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Exports in this process; those that wait are answered sooner than a proxy gives up. */
export const exportQueue: FairQueueLimits = {
  runningMax: 4,
  runningPerTenantMax: 1,
  waitingMax: 20,
  waitingPerTenantMax: 1,
  waitMaxMs: 100_000,
};
/** Messages and members that are read at a time. */
export const exportPageMax = 100;
