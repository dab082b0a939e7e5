import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLocalBuckets } from "./local-bucket.js";
import { bucketSize, bucketState, takeTokens } from "./token-rule.js";

const size = bucketSize(10, 20);
const now = 1_800_000_000_000_000;
const second = 1_000_000;

describe("the rule of a token bucket", () => {
  test("the rule of a token bucket gives a full bucket's burst at once and then nothing", () => {
    let fullAt = 0;
    const outcomes = Array.from({ length: 22 }, () => {
      const outcome = takeTokens(size, fullAt, now, 1);
      fullAt = outcome.fullAtMicros;
      return outcome.allowed;
    });
    expect(outcomes).toEqual([...Array(20).fill(true), false, false]);
    expect(bucketState(size, fullAt, now, 1)).toEqual({ remaining: 0, waitMicros: second / 10 });
  });

  test.each([
    ["no token 1 µs too early", second / 10 - 1, false],
    ["one token after one interval", second / 10, true],
  ])("an empty token bucket has %s", (_text, elapsed, allowed) => {
    const empty = now + 2 * second;
    expect(takeTokens(size, empty, now + elapsed, 1).allowed).toBe(allowed);
  });

  test("a refusal of a token bucket costs nothing", () => {
    const empty = now + 2 * second;
    expect(takeTokens(size, empty, now, 1).fullAtMicros).toBe(empty);
  });

  test("returned tokens can be taken again, and fill no bucket above its burst", () => {
    const empty = now + 2 * second;
    expect(takeTokens(size, empty, now, -1)).toEqual({ allowed: true, fullAtMicros: empty - second / 10 });
    expect(takeTokens(size, now, now, -1)).toEqual({ allowed: true, fullAtMicros: now });
  });

  test("a bucket never holds more than its burst, however long it was not used", () => {
    expect(bucketState(size, 0, now, 1).remaining).toBe(20);
    expect(takeTokens(size, 0, now, 20).allowed).toBe(true);
    expect(takeTokens(size, 0, now, 21).allowed).toBe(false);
  });

  test("a clock that jumped back leaves an empty bucket at worst", () => {
    expect(takeTokens(size, now + 3600 * second, now, 1).fullAtMicros).toBe(now + 2 * second);
  });

  test.each([
    [0, 5],
    [-1, 5],
    [Number.NaN, 5],
    [5, 0],
    [5, 1.5],
    [1e9, 5],
  ])("a rate of %d with a burst of %d is refused", (rate, burst) => {
    expect(() => bucketSize(rate, burst)).toThrow(RangeError);
  });

  test("over any time at most burst + rate × time are allowed, and no fewer when asked often enough", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 2 * second }), { maxLength: 200 }),
        (rate, burst, pauses) => {
          const bucket = bucketSize(rate, burst);
          let fullAt = now;
          let at = now;
          let allowed = 0;
          for (const pause of pauses) {
            at += pause;
            const outcome = takeTokens(bucket, fullAt, at, 1);
            fullAt = outcome.fullAtMicros;
            if (outcome.allowed) allowed += 1;
            else expect(bucketState(bucket, fullAt, at, 1).waitMicros).toBeGreaterThan(0);
          }
          expect(allowed).toBeLessThanOrEqual(burst + Math.floor((at - now) / bucket.intervalMicros));
          expect(allowed).toBeGreaterThanOrEqual(Math.min(pauses.length, burst));
        },
      ),
    ));
});

describe("local buckets", () => {
  test("local buckets keep one bucket per key", () => {
    const buckets = createLocalBuckets(bucketSize(1, 1));
    expect(buckets.take("a", 1, now).allowed).toBe(true);
    expect(buckets.take("a", 1, now).allowed).toBe(false);
    expect(buckets.take("b", 1, now).allowed).toBe(true);
  });

  test("forget the longest unused key above their limit", () => {
    const buckets = createLocalBuckets(bucketSize(1, 1), 2);
    buckets.take("a", 1, now);
    buckets.take("b", 1, now);
    buckets.take("a", 1, now);
    buckets.take("c", 1, now);
    expect(buckets.size).toBe(2);
    expect(buckets.take("a", 1, now).allowed).toBe(false);
    expect(buckets.take("b", 1, now).allowed).toBe(true);
  });
});
