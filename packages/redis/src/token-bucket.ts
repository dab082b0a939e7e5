import type { RedisConnection } from "./connection.js";
import { bucketFallbackMs } from "./limits.js";
import { createLocalBuckets } from "./local-bucket.js";
import { defineScript } from "./script.js";
import { bucketSize, bucketState } from "./token-rule.js";

/** What a take found. */
export interface Take {
  allowed: boolean;
  /** Capacity of the bucket. */
  limit: number;
  /** Whole tokens left. */
  remaining: number;
  /** When the bucket is full again, in Unix seconds, rounded up. */
  resetAt: number;
  /** 0 when allowed, else whole seconds until the tokens are there, at least 1. */
  retryAfterSeconds: number;
}

/** A family of token buckets, one per key, shared by every process that uses the same Redis and the same name. */
export interface TokenBucket {
  readonly name: string;
  readonly burst: number;
  readonly ratePerSecond: number;
  /**
   * Takes `cost` tokens (default 1) from the bucket of `key`, or none when there are too few. Never rejects for an
   * outage: while Redis is away, buckets of the same size in this process decide (design.md 10).
   * @throws RangeError when `cost` is not a whole number from 1 to the burst
   */
  take(key: string, cost?: number): Promise<Take>;
  /** Fills the bucket of `key`. */
  reset(key: string): Promise<void>;
}

// KEYS[1] holds the moment when the bucket is full again and expires at that moment, so a missing key is a full bucket.
// ARGV: interval in microseconds, burst, cost. Redis' own clock decides for all processes.
const takeScript = defineScript({
  name: "token-bucket-take",
  keyCount: 1,
  lua: `
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local interval, cost = tonumber(ARGV[1]), tonumber(ARGV[3])
local capacity = interval * tonumber(ARGV[2])
local full = tonumber(redis.call("GET", KEYS[1]) or now)
local current = math.min(math.max(full, now), now + capacity)
local after = current + cost * interval
if after - now > capacity then
  return {0, current, now}
end
redis.call("SET", KEYS[1], string.format("%.0f", after), "PX", math.ceil((after - now) / 1000))
return {1, after, now}
`,
  reply: (raw) => {
    const [allowed, fullAtMicros, nowMicros] = Array.isArray(raw) ? raw : [];
    if (typeof fullAtMicros !== "number" || typeof nowMicros !== "number") {
      throw new TypeError("The token bucket script answered in an unknown form.");
    }
    return { allowed: allowed === 1, fullAtMicros, nowMicros };
  },
});

/**
 * Token buckets in Redis that refill `ratePerSecond` tokens a second up to `burst` (contract 1.6). Each take is one
 * atomic script. Keys are `bucket:<name>:<key>`.
 */
export function createTokenBucket(options: {
  redis: RedisConnection;
  name: string;
  ratePerSecond: number;
  burst: number;
}): TokenBucket {
  const { redis, name, ratePerSecond, burst } = options;
  const size = bucketSize(ratePerSecond, burst);
  const local = createLocalBuckets(size);
  const redisKey = (key: string) => `bucket:${name}:${key}`;
  let redisAgainAt = 0;

  async function decide(key: string, cost: number) {
    if (redis.ready && performance.now() >= redisAgainAt) {
      try {
        return await redis.run(takeScript, [redisKey(key)], [size.intervalMicros, burst, cost]);
      } catch {
        // The connection logs its outages; here a pause keeps a hanging Redis from delaying every request.
        redisAgainAt = performance.now() + bucketFallbackMs;
      }
    }
    const nowMicros = Date.now() * 1000;
    return { ...local.take(key, cost, nowMicros), nowMicros };
  }

  return {
    name,
    burst,
    ratePerSecond,
    async take(key, cost = 1) {
      if (!Number.isSafeInteger(cost) || cost < 1 || cost > burst) {
        throw new RangeError(`Cannot take ${cost} tokens from a bucket of ${burst}.`);
      }
      const { allowed, fullAtMicros, nowMicros } = await decide(key, cost);
      const { remaining, waitMicros } = bucketState(size, fullAtMicros, nowMicros, cost);
      return {
        allowed,
        limit: burst,
        remaining,
        resetAt: Math.ceil(fullAtMicros / 1_000_000),
        retryAfterSeconds: allowed ? 0 : Math.max(Math.ceil(waitMicros / 1_000_000), 1),
      };
    },
    async reset(key) {
      local.forget(key);
      await redis.client.del(redisKey(key));
    },
  };
}
