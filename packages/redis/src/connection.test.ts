import { startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectRedis, type RedisConnection } from "./connection.js";
import { defineScript } from "./script.js";

const logged: string[] = [];
const logger = {
  info: (_details: object, message: string) => void logged.push(message),
  warn: (_details: object, message: string) => void logged.push(message),
};
const echo = defineScript({
  name: "echo",
  keyCount: 1,
  lua: `return { KEYS[1], ARGV[1], ARGV[2] }`,
  reply: (raw) => {
    if (!Array.isArray(raw)) throw new TypeError("no array");
    return raw.map(String);
  },
});

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, name: "test", logger });
});
afterAll(async () => {
  await redis.close();
  await server.stop();
});

/** The error of a command that waited in vain for its answer; any other failure came at once. */
const timedOut = /timed out|did not answer/;

async function failsAtOnce(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toThrow();
  await expect(work).rejects.not.toThrow(timedOut);
}

describe("connectRedis", () => {
  test("connectRedis is ready, answers pings and shows its name", async () => {
    expect(redis.ready).toBe(true);
    await redis.ping(1000);
    expect(await redis.client.client("GETNAME")).toBe("test");
  });

  test("connectRedis runs scripts with keys and arguments and reads their reply", async () => {
    expect(await redis.run(echo, ["k"], ["a", 7])).toEqual(["k", "a", "7"]);
  });

  test("connectRedis refuses a wrong number of keys", async () => {
    await expect(redis.run(echo, [], ["a", 7])).rejects.toThrow("The script echo takes 1 keys, not 0.");
  });

  test("connectRedis passes on an error inside a script", async () => {
    const broken = defineScript({ name: "broken", keyCount: 0, lua: `return redis.call("NOPE")`, reply: String });
    await expect(redis.run(broken, [], [])).rejects.toThrow(/Unknown Redis command/);
  });

  test("connectRedis loads a script again that Redis has forgotten", async () => {
    await redis.client.script("FLUSH");
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => redis.run(echo, ["k"], ["x", n])));
    expect(answers.map((answer) => answer[2])).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  test("connectRedis fails commands at once while Redis is down, logs the outage once, and comes back by itself", async () => {
    logged.length = 0;
    await server.kill();
    await waitUntil(() => !redis.ready, { what: "the loss to be noticed" });
    await failsAtOnce(redis.client.get("k"));
    await failsAtOnce(redis.ping(5000));
    await server.restart();
    await waitUntil(() => redis.ready, { what: "the connection to come back" });
    expect(await redis.run(echo, ["k"], ["b", 1])).toEqual(["k", "b", "1"]);
    expect(logged).toEqual(["Redis is not reachable", "Redis is reachable again"]);
  });

  test("connectRedis fails a command at once whose connection breaks under it, and does not send it again", async () => {
    await redis.client.set("counter", 0);
    server.pause();
    const failing = failsAtOnce(redis.client.incr("counter"));
    await server.kill();
    await failing;
    await server.restart();
    await waitUntil(() => redis.ready);
    expect(Number(await redis.client.get("counter"))).toBe(0);
  });

  test("connectRedis gives up on a frozen Redis within bounds and recovers when it continues", async () => {
    server.pause();
    await expect(redis.client.get("k")).rejects.toThrow(timedOut);
    await waitUntil(() => !redis.ready, { what: "the silent socket to be dropped" });
    await failsAtOnce(redis.client.get("k"));
    server.resume();
    await waitUntil(() => redis.ready, { what: "the connection to come back" });
    await redis.ping(1000);
  });

  test("connectRedis resolves although Redis is down at the start, and connects when it appears", async () => {
    await server.kill();
    const early = await connectRedis({ url: server.url, name: "early", logger });
    expect(early.ready).toBe(false);
    await server.restart();
    await waitUntil(() => early.ready, { what: "the late connection" });
    await early.ping(1000);
    await early.close();
    await waitUntil(() => redis.ready);
  });

  test("connectRedis closes at once when there is nothing to wait for, and twice without harm", async () => {
    const unreachable = await connectRedis({ url: "redis://127.0.0.1:1", name: "none", logger });
    // No timer ends: a close that waits for one never resolves.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await unreachable.close();
    await unreachable.close();
  });

  test("connectRedis waits for the replies under way when closing", async () => {
    const other = await connectRedis({ url: server.url, name: "closing", logger });
    const answers = Promise.all(Array.from({ length: 100 }, (_, n) => other.client.set(`close:${n}`, n)));
    await other.close();
    expect(await answers).toHaveLength(100);
    expect(other.ready).toBe(false);
  });
});
