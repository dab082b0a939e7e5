import { type RedisWithSentinels, startRedisWithSentinels, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { addressOf } from "./address.js";
import { connectRedis, type RedisConnection } from "./connection.js";

const logged: string[] = [];
const logger = {
  info: (_details: object, message: string) => void logged.push(message),
  warn: (_details: object, message: string) => void logged.push(message),
};

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

test("the address of sentinels is read with names, passwords, ports and TLS", () => {
  const retryDelayMs = () => 1;
  const read = (url: string) => addressOf(url, { retryDelayMs });
  expect(read("redis://:p%40ss@h:1/2")).toEqual({ url: "redis://:p%40ss@h:1/2", options: {} });
  expect(read("redis+sentinel://ann:p%40ss@a:1,[::1],c/my%20own?sentinelUsername=s&sentinelPassword=x%26y")).toEqual({
    url: undefined,
    options: expect.objectContaining({
      sentinels: [
        { host: "a", port: 1 },
        { host: "::1", port: 26379 },
        { host: "c", port: 26379 },
      ],
      name: "my own",
      username: "ann",
      password: "p@ss",
      sentinelUsername: "s",
      sentinelPassword: "x&y",
    }),
  });
  expect(read("redis+sentinel://a/m").options).not.toHaveProperty("tls");
  expect(read("rediss+sentinel://a/m").options).toMatchObject({
    tls: {},
    sentinelTLS: {},
    enableTLSForSentinelMode: true,
  });
});

test("connections that know the sentinels follow the primary when it dies, lose no acknowledged write that the replica has, and fail fast meanwhile", async () => {
  const [first, second] = redis.servers;
  expect(await Promise.all(connections.map(portOf))).toEqual([first.port, first.port]);
  const [one] = connections;
  await one?.client.set("kept", "yes");
  expect(await one?.client.wait(1, 5_000)).toBe(1);

  logged.length = 0;
  const killedAt = performance.now();
  await first.kill();
  await waitUntil(() => connections.every(({ ready }) => !ready), { what: "the loss to be noticed" });
  // At once, and not after the time that a command has.
  const refused = one?.client.get("kept");
  await expect(refused).rejects.toThrow();
  await expect(refused).rejects.not.toThrow(/timed out/);
  await waitUntil(() => connections.every(({ ready }) => ready), { what: "the new primary", timeoutMs: 30_000 });
  process.stdout.write(`sentinel: Redis was away for ${((performance.now() - killedAt) / 1_000).toFixed(1)} s\n`);
  expect(await Promise.all(connections.map(portOf))).toEqual([second.port, second.port]);
  expect(await one?.client.get("kept")).toBe("yes");
  expect(await redis.primary()).toBe(second);
  expect(logged.toSorted()).toEqual([
    "Redis is not reachable",
    "Redis is not reachable",
    "Redis is reachable again",
    "Redis is reachable again",
  ]);
});

test("without any sentinel a start resolves after its bounded wait, and closing does not wait", async () => {
  const none = await connectRedis({ url: "redis+sentinel://127.0.0.1:1,127.0.0.1:2/parley", name: "none", logger });
  expect(none.ready).toBe(false);
  // No timer ends: a close that waits for one never resolves.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await none.close();
});
