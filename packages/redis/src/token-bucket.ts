import type { RedisConnection } from "./connection.js";
import { bucketFallbackMs } from "./limits.js";
import { createLocalBuckets } from "./local-bucket.js";
import { takeScript } from "./token-bucket-script.js";
import { type BucketSize, bucketSize, bucketState, type TakeOutcome } from "./token-rule.js";

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

/** Name and size of a family of token buckets. */
export interface BucketFamily {
  name: string;
  ratePerSecond: number;
  burst: number;
}

/** A family of token buckets, one per key, shared by every process that uses the same Redis and the same name. */
export interface TokenBucket {
  /**
   * Takes `cost` tokens (default 1) from the bucket of `key`, or none when there are too few. Never rejects for an
   * outage: while Redis is away, buckets of the same size in this process decide (docs/architecture.md#failures).
   * @throws RangeError when `cost` is not a whole number from 1 to the burst
   */
  take(key: string, cost?: number): Promise<Take>;
  /** Returns a token that was taken for work that was not done. */
  giveBack(key: string): Promise<void>;
  /** Fills the bucket of `key`. */
  reset(key: string): Promise<void>;
}

/**
 * Token buckets in Redis that refill `ratePerSecond` tokens a second up to `burst` (docs/interface.md#1.6). Each take
 * is one atomic script. Keys are `bucket:<name>:<key>`.
 */
export function createTokenBucket({ redis, ...family }: BucketFamily & { redis: RedisConnection }): TokenBucket {
  const { burst } = family;
  const buckets = createBuckets(redis, [family]);
  return {
    async take(key, cost = 1) {
      if (!Number.isSafeInteger(cost) || cost < 1 || cost > burst) {
        throw new RangeError(`Cannot take ${cost} tokens from a bucket of ${burst}.`);
      }
      const [take] = await buckets.take([key], cost);
      if (take === undefined) throw new RangeError("A take has no outcome.");
      return take;
    },
    async giveBack(key) {
      await buckets.take([key], -1);
    },
    reset: (key) => buckets.reset(key),
  };
}

/**
 * Takes a token from a bucket of each family in one round trip, or none when one of them is empty: its `allowed` is
 * false then. Keys and outcomes are in the order of the families.
 */
export function createJointTake(options: {
  redis: RedisConnection;
  families: readonly BucketFamily[];
}): (keys: readonly string[]) => Promise<Take[]> {
  const buckets = createBuckets(options.redis, options.families);
  return (keys) => buckets.take(keys, 1);
}

function createBuckets(redis: RedisConnection, families: readonly BucketFamily[]) {
  const members = families.map(({ name, ratePerSecond, burst }) => {
    const size = bucketSize(ratePerSecond, burst);
    return { size, local: createLocalBuckets(size), redisKey: (key: string) => `bucket:${name}:${key}` };
  });
  const script = takeScript(families.length);
  let redisAgainAt = 0;

  function takeHere(keys: readonly string[], cost: number, nowMicros: number): TakeOutcome[] {
    const takeEach = (each: number) =>
      members.map(({ local }, index) => local.take(keys[index] ?? "", each, nowMicros));
    const outcomes = takeEach(cost);
    if (outcomes.every(({ allowed }) => allowed)) return outcomes;
    return outcomes.map((outcome, index) =>
      outcome.allowed ? (members[index]?.local.take(keys[index] ?? "", -cost, nowMicros) ?? outcome) : outcome,
    );
  }

  async function decide(keys: readonly string[], cost: number) {
    if (redis.ready && performance.now() >= redisAgainAt) {
      try {
        const redisKeys = members.map(({ redisKey }, index) => redisKey(keys[index] ?? ""));
        const sizes = members.flatMap(({ size }) => [size.intervalMicros, size.burst, cost]);
        return await redis.run(script, redisKeys, sizes);
      } catch {
        // The connection logs its outages; here a pause keeps a hanging Redis from delaying every request.
        redisAgainAt = performance.now() + bucketFallbackMs;
      }
    }
    const nowMicros = Date.now() * 1000;
    return { nowMicros, outcomes: takeHere(keys, cost, nowMicros) };
  }

  return {
    async take(keys: readonly string[], cost: number): Promise<Take[]> {
      if (keys.length !== members.length) throw new RangeError(`${members.length} keys expected, not ${keys.length}.`);
      const { nowMicros, outcomes } = await decide(keys, cost);
      return members.flatMap(({ size }, index) => {
        const outcome = outcomes[index];
        return outcome === undefined ? [] : [describeTake({ size, outcome, nowMicros, cost })];
      });
    },
    async reset(key: string): Promise<void> {
      for (const { local } of members) local.forget(key);
      await redis.client.del(members.map(({ redisKey }) => redisKey(key)));
    },
  };
}

function describeTake(take: { size: BucketSize; outcome: TakeOutcome; nowMicros: number; cost: number }): Take {
  const { size, outcome, nowMicros, cost } = take;
  const { allowed, fullAtMicros } = outcome;
  const { remaining, waitMicros } = bucketState(size, fullAtMicros, nowMicros, cost);
  return {
    allowed,
    limit: size.burst,
    remaining,
    resetAt: Math.ceil(fullAtMicros / 1_000_000),
    retryAfterSeconds: allowed ? 0 : Math.max(Math.ceil(waitMicros / 1_000_000), 1),
  };
}
