import type { JsonBounds } from "../../http/json-text.js";
import type { FairQueueLimits } from "../../load/fair-queue.js";

/** Default and largest number of results (docs/interface.md#18.3). */
export const resultsDefault = 15;
export const resultsMax = 25;
/** How long the provider may take. */
export const searchTimeoutMs = 5_000;
/** Most bytes of the provider's answer. */
export const answerBytesMax = 512 * 1024;
/** What it may hold; 25 pictures in all the sizes of the provider are about 250 KB with 8,000 values. */
export const answerBounds: JsonBounds = { levelsMax: 16, valuesMax: 20_000 };
/** Searches at the provider at a time in this process, and waiting for it. */
export const searchQueue: FairQueueLimits = {
  runningMax: 16,
  runningPerTenantMax: 4,
  waitingMax: 200,
  waitingPerTenantMax: 10,
  waitMaxMs: 5_000,
};
