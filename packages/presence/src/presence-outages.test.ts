import { connectRedis, type RedisConnection } from "@parley/redis";
import { waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createPresence, type Presence } from "./presence.js";
import { type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";

// Everything here runs by itself, with leases short enough to watch them end.
const times = { leaseMs: 1_500, renewIntervalMs: 200, maintainIntervalMs: 200, transitionGraceMs: 500 };

let world: PresenceWorld;
let ownRedis: RedisConnection;
let one: Presence;
let other: Presence;
let user: string;

beforeAll(async () => {
  world = await startPresenceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  ownRedis = await connectRedis({ url: world.redisServer.url, name: "one", logger: world.logger });
  one = createPresence({ ...world.options(ownRedis), nodeId: "one", times });
  other = createPresence({ ...world.options(world.otherRedis), nodeId: "other", times });
  user = await world.createUser();
});
afterEach(async () => {
  await Promise.all([one.close(), other.close()]);
  await ownRedis.close();
});
afterAll(() => world.stop());

const isNow = async (status: string, connected: boolean) => {
  const truth = await world.truthOf(user);
  return truth.status === status && truth.connected === connected;
};
const timePasses = (ms: number) => {
  const end = performance.now() + ms;
  return waitUntil(() => performance.now() > end, { what: "time to pass" });
};

test("a process cut off from Redis counts as dead, and takes its users back when it returns", async () => {
  await one.connect(user, "a");
  ownRedis.client.disconnect();
  await waitUntil(() => isNow("offline", false));
  await ownRedis.client.connect();
  await waitUntil(() => isNow("online", true));
  await one.disconnect(user, "a");
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online", "offline", "online", "offline"]);
});

test("Redis standing still longer than a lease makes nobody offline", async () => {
  await one.connect(user, "a");
  await one.setStatus(user, { status: "dnd" });
  world.redisServer.pause();
  await timePasses(times.leaseMs + 500);
  world.redisServer.resume();
  await timePasses(times.leaseMs + 1_000);
  expect(await isNow("dnd", true)).toBe(true);
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online", "dnd"]);
});

test("an emptied Redis makes nobody offline and changes no status, but for those whose process is gone", async () => {
  const gone = await world.createUser();
  await world.startGateway().connect(gone, "b");
  await one.connect(user, "a");
  await one.setStatus(user, { status: "dnd" });
  await world.redis.client.flushall();
  await waitUntil(async () => (await one.connectionCount()) === 1);
  await waitUntil(async () => (await world.truthOf(gone)).status === "offline");
  expect(await isNow("dnd", true)).toBe(true);
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online", "dnd"]);
  await one.disconnect(user, "a");
  expect(await isNow("offline", false)).toBe(true);
});

test("without Redis connections stay, statuses can be set, and the rest is made up for", async () => {
  await one.connect(user, "a");
  const late = await world.createUser();
  await world.redisServer.kill();
  await waitUntil(() => !ownRedis.ready);
  expect(await one.connect(late, "b")).toBe(false);
  expect(await one.setStatus(user, { status: "away" })).toMatchObject({ status: "away" });
  await one.disconnect(user, "a");
  await world.redisServer.restart();
  await waitUntil(() => isNow("offline", false));
  await waitUntil(async () => (await world.truthOf(late)).status === "online");
});
