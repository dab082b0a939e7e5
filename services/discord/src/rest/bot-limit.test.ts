import { botBuckets, connectRedis, createTokenBucket } from "@parley/redis";
import { startRedis } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { createBotLimit } from "./bot-limit.js";

const logger = { info: () => {}, warn: () => {} };

test("a request of a bot counts once, whether it took no call of the api or three, in the bucket of the api", async () => {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const redis = await connectRedis({ url: server.url, name: "bot-limit", logger });
  onTestFinished(() => redis.close());
  // Slow enough that no token comes back during the test.
  const family = { name: botBuckets, ratePerSecond: 0.01, burst: 5 };
  const [api, bucket] = [createTokenBucket({ redis, ...family }), createTokenBucket({ redis, ...family })];
  const limit = createBotLimit(bucket);
  expect(await limit("bot", null)).toMatchObject({ limit: 5, remaining: 4, isExceeded: false });
  for (let call = 0; call < 2; call += 1) await api.take("bot");
  const { limit: size, remaining, resetAt: reset } = await api.take("bot");
  const used = { limit: size, remaining, reset, counted: 3 };
  expect(await limit("bot", used)).toMatchObject({ remaining: 3, isExceeded: false });
  for (const left of [2, 1, 0]) expect(await limit("bot", null)).toMatchObject({ remaining: left, isExceeded: false });
  expect(await limit("bot", null)).toMatchObject({ remaining: 0, isExceeded: true });
  expect(await limit("another", null)).toMatchObject({ isExceeded: false });
});
