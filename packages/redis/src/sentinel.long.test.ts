import { type RedisWithSentinels, startRedisWithSentinels, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRedis, type RedisConnection } from "./connection.js";

const logger = { info: () => undefined, warn: () => undefined };

let redis: RedisWithSentinels;
let connections: RedisConnection[];
beforeAll(async () => {
  redis = await startRedisWithSentinels();
  connections = await Promise.all(["one", "two"].map((name) => connectRedis({ url: redis.url, name, logger })));
});
afterAll(async () => {
  await Promise.all((connections ?? []).map((connection) => connection.close()));
  await redis?.stop();
});

const portOf = async (connection: RedisConnection) =>
  Number(/tcp_port:(\d+)/.exec(await connection.client.info("server"))?.[1]);

test("a frozen primary is left for the one that the sentinels choose, and a dead sentinel is passed over", async () => {
  const [first, second] = redis.servers;
  const [one] = connections;
  await waitUntil(async () => (await one?.client.wait(1, 1_000)) === 1, { what: "the replica", timeoutMs: 30_000 });
  await redis.sentinels[0]?.kill();
  first.pause();
  try {
    const movedTo = async () => (await portOf(one ?? expect.fail())) === second.port;
    await waitUntil(movedTo, { what: "the new primary", timeoutMs: 30_000 });
  } finally {
    first.resume();
  }
  // The sentinels' own word of the change may come later, and has the client connect once more.
  const isWritten = async () => (await one?.client.set("written", "yes").catch(() => null)) === "OK";
  await waitUntil(isWritten, { what: "a write" });
  const late = await connectRedis({ url: redis.url, name: "late", logger });
  expect(await portOf(late)).toBe(second.port);
  await late.close();
});
