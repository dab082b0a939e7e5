import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Pictures fetched at a time in this process, and waiting for it; tenants are the addresses of the readers. */
export const pictureQueue: FairQueueLimits = {
  runningMax: 8,
  runningPerTenantMax: 4,
  waitingMax: 500,
  waitingPerTenantMax: 100,
  waitMaxMs: 10_000,
};

/** Bytes of pictures that this process keeps, of all together; those used longest ago are dropped for new ones. */
export const keptBytesMax = 32 * 1024 * 1024;
/** How long a picture is kept, here and by browsers … */
export const pictureTtlSeconds = 24 * 3_600;
/** … and how long it is that there is none. */
export const failureTtlSeconds = 60;
