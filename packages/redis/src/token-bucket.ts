import { createBatcher } from "@parley/service-runtime";
import type { RedisConnection } from "./connection.js";
import { bucketFallbackMs, takesPerCallMax } from "./limits.js";
import { createLocalBuckets } from "./local-bucket.js";
import { defineScript, readLua } from "./script.js";
import { type BucketSize, bucketSize, bucketState, type TakeOutcome } from "./token-rule.js";

/** The result of taking tokens. */
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

/** Name of the buckets of bots, which the api and the service for bots written for Discord share (docs/protocol/limits.md#1.6). */
export const botBuckets = "bot";

/** A family of token buckets, one per key, shared by every process that uses the same Redis and the same name. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

/**
 * Token buckets in Redis that refill `ratePerSecond` tokens a second up to `burst` (docs/protocol/limits.md#1.6). Each take
 * is atomic; those of one turn of the event loop share one script. Keys are `bucket:<name>:<key>`.
 */
export function createTokenBucket({ redis, ...family }: BucketFamily & { redis: RedisConnection }) {
  const { burst } = family;
  const buckets = createBuckets(redis, [family]);
  return {
    /**
     * Takes `cost` tokens from the bucket of `key`, or none when there are too few. Never rejects for an outage: while
     * Redis is away, buckets of the same size in this process decide (docs/architecture.md#failures).
     *
     * @throws RangeError when `cost` is not a whole number from 1 to the burst
     */
    async take(key: string, cost = 1): Promise<Take> {
      if (!Number.isSafeInteger(cost) || cost < 1 || cost > burst) {
        throw new RangeError(`Cannot take ${cost} tokens from a bucket of ${burst}.`);
      }
      const [take] = await buckets.take([key], cost);
      if (take === undefined) throw new RangeError("A take has no outcome.");
      return take;
    },
    /** Returns tokens that were taken for work that was not done, or that does not count. */
    async giveBack(key: string, count = 1): Promise<void> {
      await buckets.take([key], -count);
    },
    /** Fills the bucket of `key`. */
    reset: buckets.reset,
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

/** The demand of one caller: the keys in the order of the families, and the tokens of each. */
interface Wanted {
  keys: readonly string[];
  cost: number;
}

function createBuckets(redis: RedisConnection, families: readonly BucketFamily[]) {
  const members = families.map(({ name, ratePerSecond, burst }) => {
    const size = bucketSize(ratePerSecond, burst);
    return { size, local: createLocalBuckets(size), redisKey: (key: string) => `bucket:${name}:${key}` };
  });
  let redisAgainAt = 0;

  function takeHere({ keys, cost }: Wanted, nowMicros: number): TakeOutcome[] {
    const takeEach = (each: number) =>
      members.map(({ local }, index) => local.take(keys[index] ?? "", each, nowMicros));
    const outcomes = takeEach(cost);
    if (outcomes.every(({ allowed }) => allowed)) return outcomes;
    return outcomes.map((outcome, index) =>
      outcome.allowed ? (members[index]?.local.take(keys[index] ?? "", -cost, nowMicros) ?? outcome) : outcome,
    );
  }

  async function decide(wanted: readonly Wanted[]) {
    if (redis.ready && performance.now() >= redisAgainAt) {
      try {
        const redisKeys = wanted.flatMap(({ keys }) =>
          members.map(({ redisKey }, index) => redisKey(keys[index] ?? "")),
        );
        const sizes = wanted.flatMap(({ cost }) =>
          members.flatMap(({ size }) => [size.intervalMicros, size.burst, cost]),
        );
        return await redis.run(takeScript, redisKeys, [members.length, ...sizes]);
      } catch {
        // The connection logs its outages; here a pause keeps a hanging Redis from delaying every request.
        redisAgainAt = performance.now() + bucketFallbackMs;
      }
    }
    const nowMicros = Date.now() * 1000;
    return { nowMicros, outcomes: wanted.flatMap((each) => takeHere(each, nowMicros)) };
  }

  const take = createBatcher({
    batchMax: takesPerCallMax,
    inFlightMax: Number.POSITIVE_INFINITY,
    async work(wanted: readonly Wanted[]): Promise<Take[][]> {
      const { nowMicros, outcomes } = await decide(wanted);
      return wanted.map(({ cost }, position) =>
        members.flatMap(({ size }, index) => {
          const outcome = outcomes[position * members.length + index];
          return outcome === undefined ? [] : [describeTake({ size, outcome, nowMicros, cost })];
        }),
      );
    },
  });

  return {
    async take(keys: readonly string[], cost: number): Promise<Take[]> {
      if (keys.length !== members.length) throw new RangeError(`${members.length} keys expected, not ${keys.length}.`);
      return take({ keys, cost });
    },
    async reset(key: string): Promise<void> {
      for (const { local } of members) local.reset(key);
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

/** The script that takes tokens from buckets, for several callers at once. */
const takeScript = defineScript({
  name: "token-bucket-take",
  keyCount: null,
  lua: readLua(new URL("../lua/", import.meta.url), "take-tokens"),
  reply: (raw) => {
    const [nowMicros, ...found] = Array.isArray(raw) ? raw.map(Number) : [];
    if (nowMicros === undefined || found.length % 2 !== 0 || found.some(Number.isNaN)) {
      throw new TypeError("The token bucket script answered in an unknown form.");
    }
    const outcomes = Array.from({ length: found.length / 2 }, (_, index) => ({
      allowed: found[2 * index] === 1,
      fullAtMicros: found[2 * index + 1] ?? nowMicros,
    }));
    return { nowMicros, outcomes };
  },
});
