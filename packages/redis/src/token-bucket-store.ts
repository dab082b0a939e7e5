import type { TokenBucket } from "./token-bucket.js";

/** The part of express-rate-limit's `Store` that a token bucket can keep, plus what the limiter's options need. */
export interface TokenBucketStore {
  /** Told apart from other stores by the limiter's check against double counting. */
  readonly prefix: string;
  readonly localKeys: false;
  /** The limiter's `limit`. */
  readonly limit: number;
  /** The limiter's `retryAfter`: seconds after which a refused caller surely has a token. */
  readonly retryAfter: number;
  increment(key: string): Promise<{ totalHits: number; resetTime: Date }>;
  decrement(key: string): Promise<void>;
  resetKey(key: string): Promise<void>;
}

/**
 * Lets express-rate-limit count with a token bucket:
 * `rateLimit({ store, limit: store.limit, retryAfter: store.retryAfter, legacyHeaders: true, … })`.
 *
 * The limiter computes `remaining` as `limit - totalHits` and refuses when `totalHits` exceeds the limit, so the bucket
 * speaks to it as "hits" = tokens that are missing now, and one more than the capacity for a refusal. `resetTime` is
 * when the bucket is full again. `skipFailedRequests` and `skipSuccessfulRequests` do not work: tokens are not given back.
 */
export function createTokenBucketStore(bucket: TokenBucket): TokenBucketStore {
  return {
    prefix: `${bucket.name}:`,
    localKeys: false,
    limit: bucket.burst,
    retryAfter: Math.max(Math.ceil(1 / bucket.ratePerSecond), 1),
    async increment(key) {
      const take = await bucket.take(key);
      return {
        totalHits: take.allowed ? bucket.burst - take.remaining : bucket.burst + 1,
        resetTime: new Date(take.resetAt * 1000),
      };
    },
    async decrement() {
      throw new Error("A token bucket does not take tokens back.");
    },
    resetKey: (key) => bucket.reset(key),
  };
}
