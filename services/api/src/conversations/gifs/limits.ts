import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Searches at the provider at a time in this process, and waiting for it. */
export const searchQueue: FairQueueLimits = {
  runningMax: 16,
  runningPerTenantMax: 4,
  waitingMax: 200,
  waitingPerTenantMax: 10,
  waitMaxMs: 5_000,
};
