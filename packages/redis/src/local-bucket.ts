import { localBucketKeysMax } from "./limits.js";
import { type BucketSize, type TakeOutcome, takeTokens } from "./token-rule.js";

/**
 * Buckets in the memory of this process, for the time that Redis is away. Keeps at most `keysMax` keys; a dropped key starts with a full bucket. The map is no LRUCache, which allocates memory
 * for its maximum when it is created: 2.8 MB for each family of buckets, used during outages only.
 */
export function createLocalBuckets(size: BucketSize, keysMax = localBucketKeysMax) {
  const fullAt = new Map<string, number>();
  return {
    take(key: string, cost: number, nowMicros: number): TakeOutcome {
      const outcome = takeTokens(size, fullAt.get(key) ?? nowMicros, nowMicros, cost);
      // Deleting first moves the key to the end: the map's order is the order of last use.
      fullAt.delete(key);
      fullAt.set(key, outcome.fullAtMicros);
      if (fullAt.size > keysMax) {
        const oldest = fullAt.keys().next();
        if (!oldest.done) fullAt.delete(oldest.value);
      }
      return outcome;
    },
    reset(key: string): void {
      fullAt.delete(key);
    },
    get size() {
      return fullAt.size;
    },
  };
}
