import { startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectRedis, type RedisConnection } from "./connection.js";
import { takesPerCallMax } from "./limits.js";
import { createJointTake, createTokenBucket, type TokenBucket } from "./token-bucket.js";

const logger = { info: () => {}, warn: () => {} };
let server: Awaited<ReturnType<typeof startRedis>>;
let first: RedisConnection;
let second: RedisConnection;
beforeAll(async () => {
  server = await startRedis();
  first = await connectRedis({ url: server.url, name: "first", logger });
  second = await connectRedis({ url: server.url, name: "second", logger });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await server.stop();
});

// Slow enough that no token comes back during a test.
const slow = { ratePerSecond: 0.01, burst: 20 };

describe("a token bucket", () => {
  test("a token bucket counts down and says when it is full again", async () => {
    const bucket = createTokenBucket({ redis: first, name: "count", ratePerSecond: 10, burst: 20 });
    const before = Date.now() / 1000;
    const take = await bucket.take("k", 20);
    expect(take).toMatchObject({ allowed: true, limit: 20, remaining: 0, retryAfterSeconds: 0 });
    expect(take.resetAt).toBeGreaterThanOrEqual(Math.floor(before + 2));
    expect(take.resetAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000 + 2));
    expect(Number.isInteger(take.resetAt)).toBe(true);
  });

  test("a token bucket says after how many seconds a token is back", async () => {
    const bucket = createTokenBucket({ redis: first, name: "wait", ...slow });
    await bucket.take("k", 20);
    const refused = await bucket.take("k");
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.retryAfterSeconds).toBeGreaterThan(95);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(100);
  });

  test("a token bucket gives exactly the burst to 200 parallel takes of two instances", async () => {
    const instances = [first, second].map((redis) => createTokenBucket({ redis, name: "parallel", ...slow }));
    const takes = await Promise.all(
      Array.from({ length: 100 }, () => instances.map((bucket) => bucket.take("k"))).flat(),
    );
    const allowed = takes.filter((take) => take.allowed);
    expect(takes).toHaveLength(200);
    expect(allowed.map((take) => take.remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  test("the takes of one turn share a call of Redis, and each has its own outcome", async () => {
    const bucket = createTokenBucket({ redis: first, name: "shared", ...slow });
    await bucket.take("warm");
    const before = await commandsSeen();
    const takes = await Promise.all([
      bucket.take("a", 20),
      bucket.take("a"),
      bucket.take("b", 2),
      bucket.giveBack("a"),
    ]);
    expect((await commandsSeen()) - before).toBe(1);
    expect(takes.slice(0, 3)).toMatchObject([
      { allowed: true, remaining: 0 },
      { allowed: false, remaining: 0 },
      { allowed: true, remaining: 18 },
    ]);
    expect((await bucket.take("a")).allowed).toBe(true);
  });

  test("more takes in one turn than one call makes are all decided", async () => {
    const bucket = createTokenBucket({ redis: first, name: "many", ...slow });
    const takes = await Promise.all(Array.from({ length: 3 * takesPerCallMax }, (_, n) => bucket.take(String(n % 30))));
    expect(takes.map(({ remaining }) => remaining)).toEqual(takes.map((_, n) => 19 - Math.floor(n / 30)));
  });

  test("a token bucket refills at its rate", async () => {
    const bucket = createTokenBucket({ redis: first, name: "refill", ratePerSecond: 20, burst: 2 });
    const startedAt = performance.now();
    await bucket.take("k", 2);
    // One that was allowed before the interval has passed would end this too early.
    await waitUntil(async () => (await bucket.take("k")).allowed, { what: "a token" });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
  });

  test("a token bucket keeps keys and names apart", async () => {
    const a = createTokenBucket({ redis: first, name: "apart-a", ratePerSecond: 0.01, burst: 1 });
    const b = createTokenBucket({ redis: first, name: "apart-b", ratePerSecond: 0.01, burst: 1 });
    expect((await a.take("k")).allowed).toBe(true);
    expect((await a.take("other")).allowed).toBe(true);
    expect((await b.take("k")).allowed).toBe(true);
    expect((await a.take("k")).allowed).toBe(false);
  });

  test("a token bucket leaves no key behind once the bucket is full", async () => {
    const bucket = createTokenBucket({ redis: first, name: "expiry", ratePerSecond: 0.1, burst: 20 });
    await bucket.take("k", 5);
    const lifeMs = await first.client.pttl("bucket:expiry:k");
    expect(lifeMs).toBeGreaterThan(30_000);
    expect(lifeMs).toBeLessThanOrEqual(50_000);
  });

  test("a token bucket can be filled by hand", async () => {
    const bucket = createTokenBucket({ redis: first, name: "reset", ...slow });
    await bucket.take("k", 20);
    await bucket.reset("k");
    expect((await bucket.take("k")).remaining).toBe(19);
  });

  test("a token bucket takes a token back, and is no fuller than full", async () => {
    const bucket = createTokenBucket({ redis: first, name: "back", ...slow });
    await bucket.take("k", 20);
    await bucket.giveBack("k");
    expect((await bucket.take("k")).allowed).toBe(true);
    expect((await bucket.take("k")).allowed).toBe(false);
    await bucket.giveBack("full");
    expect(await first.client.exists("bucket:back:full")).toBe(0);
    expect((await bucket.take("full")).remaining).toBe(19);
  });

  test.each([0, -1, 1.5, 21, Number.NaN])("a token bucket refuses to take %d of 20", async (cost) => {
    const bucket = createTokenBucket({ redis: first, name: "cost", ...slow });
    await expect(bucket.take("k", cost)).rejects.toThrow(RangeError);
  });

  test("a token bucket lets each process keep the limit by itself while Redis is down, and shares again afterwards", async () => {
    const [a, b] = [first, second].map((redis) => createTokenBucket({ redis, name: "outage", ...slow }));
    if (a === undefined || b === undefined) throw new Error("two buckets expected");
    await server.kill();
    await waitUntil(() => !first.ready && !second.ready);
    const takes = await Promise.all(Array.from({ length: 30 }, () => [a.take("k"), b.take("k")]).flat());
    expect(takes.filter((take) => take.allowed)).toHaveLength(40);
    expect(takes.at(-1)).toMatchObject({ allowed: false, limit: 20, remaining: 0 });

    await server.restart();
    await waitUntil(() => first.ready && second.ready);
    await waitUntil(async () => {
      await Promise.all([a.take("probe"), b.take("probe")]);
      return (await first.client.exists("bucket:outage:probe")) === 1;
    });
    const shared = await Promise.all(Array.from({ length: 30 }, () => [a.take("new"), b.take("new")]).flat());
    expect(shared.filter((take) => take.allowed)).toHaveLength(20);
  });

  test("a token bucket is held up by a frozen Redis once, not by every take", async () => {
    const bucket = createTokenBucket({ redis: first, name: "frozen", ...slow });
    const asked = vi.spyOn(first, "run");
    // The pause after which the bucket asks Redis again does not end.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => {
      asked.mockRestore();
      vi.useRealTimers();
    });
    server.pause();
    for (let n = 0; n < 11; n++) expect((await bucket.take("k")).allowed).toBe(true);
    expect(asked).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
    server.resume();
    await waitUntil(() => first.ready && second.ready);
  });
});

describe("a take from two families", () => {
  const pair = (redis: RedisConnection, name: string) =>
    createJointTake({
      redis,
      families: [
        { name: `${name}-small`, ratePerSecond: 0.01, burst: 5 },
        { name: `${name}-large`, ratePerSecond: 0.01, burst: 12 },
      ],
    });
  const single = (name: string): TokenBucket => createTokenBucket({ redis: first, name, ...slow, burst: 12 });

  test("a take from two families costs one round trip and takes from both or from neither, over two instances", async () => {
    const [a, b] = [pair(first, "both"), pair(second, "both")];
    const before = await commandsSeen();
    expect((await a(["k", "home"])).map(({ limit, remaining }) => [limit, remaining])).toEqual([
      [5, 4],
      [12, 11],
    ]);
    expect((await commandsSeen()) - before).toBe(1);
    const keys = ["k", "l", "m", "n"].flatMap((key) => Array(5).fill(key));
    const takes = await Promise.all(keys.flatMap((key) => [a([key, "home"]), b([key, "home"])]));
    expect(takes.filter((each) => each.every(({ allowed }) => allowed))).toHaveLength(11);
    const [small, large] = await a(["fresh", "home"]);
    expect([small?.allowed, small?.remaining, large?.allowed]).toEqual([true, 5, false]);
    expect((await single("both-large").take("home")).allowed).toBe(false);
    expect(large?.retryAfterSeconds).toBeGreaterThan(90);
  });

  test("takes from two families share a call, in which one is refused and the next is not", async () => {
    const take = pair(first, "calls");
    await take(["warm", "elsewhere"]);
    const before = await commandsSeen();
    const takes = await Promise.all([...Array(6).fill("k"), "l"].map((key) => take([key, "home"])));
    expect((await commandsSeen()) - before).toBe(1);
    expect(takes.map((each) => each.every(({ allowed }) => allowed))).toEqual([...Array(5).fill(true), false, true]);
    expect(takes.at(-1)?.map(({ remaining }) => remaining)).toEqual([4, 6]);
  });

  test("a take from two families does the same while Redis is away", async () => {
    const take = pair(first, "away");
    await server.kill();
    await waitUntil(() => !first.ready);
    const takes = [];
    for (let n = 0; n < 14; n += 1) takes.push(await take([String(n % 4), "home"]));
    expect(takes.filter((each) => each.every(({ allowed }) => allowed))).toHaveLength(12);
    expect(takes.at(-1)?.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [false, 0],
    ]);
    await server.restart();
    await waitUntil(() => first.ready && second.ready);
  });
});

/** How many of the buckets' scripts Redis has run. */
async function commandsSeen(): Promise<number> {
  const stats = await first.client.info("commandstats");
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}
