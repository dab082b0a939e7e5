import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Pages fetched at a time in this process, and waiting for it. */
export const pageQueue: FairQueueLimits = {
  runningMax: 16,
  runningPerTenantMax: 4,
  waitingMax: 500,
  waitingPerTenantMax: 100,
  waitMaxMs: 10_000,
};
/** Most characters of each text of a preview. */
export const titleLengthMax = 300;
export const descriptionLengthMax = 1_000;
export const siteNameLengthMax = 100;
