import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPresenceStatuses, type PresenceStatuses } from "./presence.js";
import { type GatewayProcess, type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";

let world: PresenceWorld;
let one: GatewayProcess;
let other: GatewayProcess;
let api: PresenceStatuses;
let user: string;

beforeAll(async () => {
  world = await startPresenceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  one = world.startGateway();
  other = world.startGateway({ onOtherRedis: true });
  api = createPresenceStatuses(world.options());
  user = await world.createUser();
});
afterAll(() => world.stop());

const expectHeard = async (statuses: string[]) => {
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(statuses);
};

describe("connections", () => {
  test("make a user online with the first and offline with the last, over all processes, and announce no other", async () => {
    await one.connect(user, "a");
    expect(await world.truthOf(user)).toEqual({ status: "online", connected: true });
    await other.connect(user, "b");
    await other.connect(user, "c");
    await one.disconnect(user, "a");
    await other.disconnect(user, "b");
    await expectHeard(["online"]);
    expect(await world.truthOf(user)).toEqual({ status: "online", connected: true });
    await other.disconnect(user, "c");
    expect(await world.truthOf(user)).toEqual({ status: "offline", connected: false });
    await expectHeard(["online", "offline"]);
  });

  test("may be ended twice, and unknown ones at all", async () => {
    await one.disconnect(user, "never");
    await one.connect(user, "a");
    await one.disconnect(user, "a");
    await one.disconnect(user, "a");
    await other.disconnect(user, "a");
    await expectHeard(["online", "offline"]);
  });

  test("end voice only with the last one, before the user goes offline", async () => {
    await one.connect(user, "a");
    await other.connect(user, "b");
    await world.joinVoice(user);
    await one.disconnect(user, "a");
    expect(await world.voice.channelOf(user)).not.toBeNull();
    world.order.length = 0;
    await other.disconnect(user, "b");
    expect(await world.voice.channelOf(user)).toBeNull();
    await waitUntil(() => world.order.length === 2);
    expect(world.order).toEqual(["VOICE_STATE_UPDATE", "PRESENCE_UPDATE offline"]);
  });

  test("number at most 50 for a user: the oldest gets SESSION_CLOSE and counts no more", async () => {
    for (let n = 0; n < 50; n += 1) await (n % 2 ? one : other).connect(user, `limit-${n}`);
    await world.hearAll();
    expect(world.closed).toEqual([]);
    await one.connect(user, "limit-50");
    await waitUntil(() => world.closed.length > 0);
    expect(world.closed).toEqual(["limit-0"]);
    expect(await world.redis.client.zcard(`presence:connections:${user}`)).toBe(50);
    await other.disconnect(user, "limit-0");
    expect(await api.connectionCount()).toBe(50);
    for (let n = 1; n <= 50; n += 1) await (n === 50 || n % 2 ? one : other).disconnect(user, `limit-${n}`);
    expect(await api.connectionCount()).toBe(0);
    await expectHeard(["online", "offline"]);
  });

  test("number at most 50 in each shard of a user; the user is connected while any shard has one", async () => {
    world.closed.length = 0;
    for (let n = 0; n < 50; n += 1) await (n % 2 ? one : other).connect(user, `limit-${n}#0`);
    await one.connect(user, "whole");
    await one.connect(user, "first#1");
    await world.hearAll();
    expect(world.closed).toEqual([]);
    await other.connect(user, "limit-50#0");
    await waitUntil(() => world.closed.length > 0);
    expect(world.closed).toEqual(["limit-0#0"]);
    await other.disconnect(user, "limit-0#0");
    await one.disconnect(user, "whole");
    for (let n = 1; n <= 50; n += 1) await (n === 50 || n % 2 === 0 ? other : one).disconnect(user, `limit-${n}#0`);
    await expectHeard(["online"]);
    expect(await api.connectionCount()).toBe(1);
    await one.disconnect(user, "first#1");
    await expectHeard(["online", "offline"]);
    expect(await world.redis.client.keys("presence:connections:*")).toEqual([]);
  });

  test("leave nothing in Redis but leases when they are gone", async () => {
    await one.connect(user, "a");
    await one.disconnect(user, "a");
    const keys = (await world.redis.client.keys("presence:*")).sort();
    expect(keys).toEqual(["presence:leases", "presence:steady", "presence:version"]);
  });

  test("connections of hundreds of users at once are all saved", async () => {
    const users = await world.createUsers(450);
    await Promise.all(users.map((id, n) => (n % 2 ? one : other).connect(id, `crowd-${n}`)));
    const online = await world.database.prisma.user.count({ where: { id: { in: users }, status: "online" } });
    expect(online).toBe(450);
    await Promise.all(users.map((id, n) => (n % 2 ? one : other).disconnect(id, `crowd-${n}`)));
    await world.hearAll();
    expect(users.filter((id) => world.heardOf(id).join() !== "online,offline")).toEqual([]);
  });
});

describe("statuses that users set", () => {
  test("statuses that users set are saved and announced even when equal, by the api and by the gateway alike", async () => {
    await one.connect(user, "a");
    expect(await one.setStatus(user, { status: "dnd" })).toEqual({
      status: "dnd",
      custom_status: null,
      activity: null,
    });
    await api.setStatus(user, { status: "dnd" });
    await other.connect(user, "b");
    await one.disconnect(user, "a");
    await expectHeard(["online", "dnd", "dnd"]);
    expect(await world.truthOf(user)).toEqual({ status: "dnd", connected: true });
  });

  test("keep texts that are left out, clear them by null or an empty text, and outlive connections", async () => {
    await api.setStatus(user, { custom_status: "chess", activity: "thinking" });
    await one.connect(user, "a");
    expect(await one.setStatus(user, { status: "away" })).toEqual({
      status: "away",
      custom_status: "chess",
      activity: "thinking",
    });
    await one.disconnect(user, "a");
    expect(await api.setStatus(user, { activity: "" })).toEqual({
      status: "offline",
      custom_status: "chess",
      activity: null,
    });
    expect(await api.setStatus(user, { custom_status: null })).toMatchObject({ custom_status: null });
  });

  test("may hide a connected user, and stay on one without connections until the next transition", async () => {
    await one.connect(user, "a");
    await one.setStatus(user, { status: "offline" });
    expect(await world.truthOf(user)).toEqual({ status: "offline", connected: true });
    await one.disconnect(user, "a");
    await api.setStatus(user, { status: "dnd" });
    await world.expire([]);
    await one.maintenance.run();
    expect(await world.truthOf(user)).toEqual({ status: "dnd", connected: false });
    await one.connect(user, "b");
    await expectHeard(["online", "offline", "offline", "dnd", "online"]);
  });

  test("statuses of a deleted account are ignored", async () => {
    await one.connect(user, "a");
    await world.database.prisma.user.delete({ where: { id: user } });
    expect(await one.setStatus(user, { status: "dnd" })).toBeNull();
    await one.disconnect(user, "a");
    expect(await world.redis.client.zcard("presence:unsaved")).toBe(0);
  });
});

describe("processes", () => {
  test("processes that end in order leave their remaining connections to the others at once", async () => {
    await one.connect(user, "a");
    await other.node.renew();
    await one.end();
    await world.expire([]);
    await other.maintenance.expireLeases();
    await expectHeard(["online", "offline"]);
  });

  test("leave nothing behind in any shard", async () => {
    await one.connect(user, "a#0");
    await one.connect(user, "b#1023");
    await other.node.renew();
    await one.node.close();
    await world.expire([]);
    await other.maintenance.expireLeases();
    await expectHeard(["online", "offline"]);
    expect(await world.redis.client.keys("presence:connections:*")).toEqual([]);
  });

  test("processes do not judge others before they have held their own lease for a lease's length", async () => {
    await one.connect(user, "a");
    await world.redis.client.zadd("presence:leases", "1", one.node.lease);
    await other.node.renew();
    await other.maintenance.run();
    await expectHeard(["online"]);
    await world.expire([one]);
    await other.maintenance.run();
    await expectHeard(["online", "offline"]);
  });

  test("repair a registry that differs from their connections", async () => {
    await one.connect(user, "a");
    await world.redis.client.sadd(`presence:lease:${one.node.lease}`, `${user} ghost`);
    await world.redis.client.zadd(`presence:connections:${user}`, "1", "ghost");
    await one.node.renew();
    await world.expire([]);
    await one.maintenance.expireLeases();
    expect(await world.redis.client.zrange(`presence:connections:${user}`, "0", "-1")).toEqual(["a"]);
    await one.disconnect(user, "a");
    await expectHeard(["online", "offline"]);
  });

  test("get their way over versions from the future, which an emptied Redis with a slow clock does not know", async () => {
    await world.database.prisma.user.update({
      where: { id: user },
      data: { presence_version: 8_000_000_000_000_000n },
    });
    await one.connect(user, "a");
    expect(await world.truthOf(user)).toEqual({ status: "online", connected: true });
    await one.disconnect(user, "a");
    expect(await world.truthOf(user)).toEqual({ status: "offline", connected: false });
  });
});

describe("a member of more servers than fit one message of NATS", () => {
  test("comes, sets a status and goes like anybody, and keeps nobody from being announced once", async () => {
    await world.joinNewServers(user, 30_000);
    const others = await world.createUsers(20);
    await Promise.all([user, ...others].map((id) => one.connect(id, `connection of ${id}`)));
    expect(await world.redis.client.zcard("presence:unsaved")).toBe(0);
    expect(await api.setStatus(user, { status: "dnd" })).toMatchObject({ status: "dnd" });
    await world.hearAll();
    for (const id of others) expect(world.heardOf(id)).toEqual(["online"]);
    const heard = world.heardOf(user);
    // One event for every 500 servers; the fixture's own server makes one more.
    expect([heard.length, new Set(heard.slice(0, 61)), new Set(heard.slice(61))]).toEqual([
      122,
      new Set(["online"]),
      new Set(["dnd"]),
    ]);
  });
});
