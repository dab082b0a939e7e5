import type { FairQueueLimits } from "../../platform/load/fair-queue.js";

/** Matches that are ranked, the newest ones, and up to how many they are counted (docs/protocol/limits.md#16.3). */
export const matchesRankedMax = 5_000;
export const matchesCountedMax = 10_000;
/** Up to how many matches everywhere are counted, and sorted by relevance (docs/protocol/search.md#35.1). */
export const foundCountedMax = 1_000;
/** For direct messages, whose words are found out anew for each rank. */
export const directMatchesRankedMax = 1_000;
/**
 * Searches of one process: each occupies a database connection and a processor of PostgreSQL, and most of both must stay
 * available to other requests.
 */
export const searchQueue: FairQueueLimits = {
  runningMax: 2,
  waitingMax: 200,
  waitingPerTenantMax: 10,
  waitMaxMs: 5_000,
  coolDownFactor: 1,
};
