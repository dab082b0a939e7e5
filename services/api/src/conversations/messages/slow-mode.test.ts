import { randomUUID } from "node:crypto";
import { connectRedis } from "@parley/redis";
import { startRedis, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { createSlowModes } from "./slow-mode.js";

const logger = { info: () => undefined, warn: () => undefined };

test("nobody waits while Redis is away, and who sent last waits again when it is back", async () => {
  const server = await startRedis();
  onTestFinished(() => server.kill());
  const redis = await connectRedis({ url: server.url, name: "slow mode", logger });
  onTestFinished(() => redis.close());
  const reserve = createSlowModes({ redis, verdictTimeoutMs: 100 });
  const draft = { authorId: randomUUID(), channelId: randomUUID() };
  const sent = { seconds: 3_600, waitMs: 1_000 };
  const refused = { limit: "slow_mode" };
  await expect(reserve(draft, sent)).rejects.toMatchObject(refused);
  await server.kill();
  await waitUntil(() => !redis.ready, { what: "the loss to be noticed" });
  await expect(reserve(draft, sent)).resolves.toBeDefined();
  await server.restart();
  await waitUntil(() => redis.ready, { what: "Redis to be back" });
  await expect(reserve(draft, sent)).rejects.toMatchObject(refused);
});
