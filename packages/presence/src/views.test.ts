import { randomUUID } from "node:crypto";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type GatewayProcess, type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";
import { createViews, type Views } from "./views.js";

let world: PresenceWorld;
let one: GatewayProcess;
let other: GatewayProcess;
/** The views of a process without connections. */
let views: Views;
let user: string;
const [chess, go, shogi] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  world = await startPresenceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  one = world.startGateway();
  other = world.startGateway({ onOtherRedis: true });
  for (const { node } of [one, other]) await node.renew();
  views = createViews({ redis: world.otherRedis });
  user = await world.createUser();
});
afterAll(() => world.stop());

const lookedAt = async (userId = user) =>
  views.lookedAt([chess, go, shogi].map((channelId) => ({ userId, channelId })));

describe("the view of a user", () => {
  test("contains the channels that their connections show, on whichever node, each as last named", async () => {
    await one.connect(user, "a");
    await other.connect(user, "b", { isNumbered: true });
    expect(await lookedAt()).toEqual([false, false, false]);
    await one.setView("a", [chess, go]);
    expect(await lookedAt()).toEqual([true, true, false]);
    await other.setView("b", [shogi]);
    await one.setView("a", [go]);
    expect(await lookedAt()).toEqual([false, true, true]);
    await one.setView("a", []);
    expect(await lookedAt()).toEqual([false, false, true]);
  });

  test("contains no channels of others, and is returned in the order of the question", async () => {
    const friend = await world.createUser();
    await one.connect(user, "a");
    await other.connect(friend, "b");
    await one.setView("a", [chess]);
    await other.setView("b", [go]);
    const pairs = [
      { userId: friend, channelId: go },
      { userId: friend, channelId: chess },
      { userId: user, channelId: go },
      { userId: user, channelId: chess },
      { userId: await world.createUser(), channelId: chess },
    ];
    expect(await views.lookedAt(pairs)).toEqual([true, false, false, true, false]);
    expect(await views.lookedAt([])).toEqual([]);
    const many = (count: number) => Array.from({ length: count }, () => ({ userId: user, channelId: chess }));
    expect(await views.lookedAt(many(500))).toEqual(Array(500).fill(true));
    await expect(views.lookedAt(many(501))).rejects.toThrow("More than 500 pairs");
  });

  test("ends with the connection, and the grace of a lost one does not keep it", async () => {
    const keys = () => world.redis.client.keys("presence:view:*");
    await one.connect(user, "a", { isNumbered: true });
    await one.connect(user, "b");
    await one.setView("a", [chess]);
    await one.setView("b", [go]);
    await one.disconnect(user, "a", { isLost: true });
    expect(await lookedAt()).toEqual([false, true, false]);
    expect(await world.truthOf(user)).toMatchObject({ connected: true });
    await one.disconnect(user, "b");
    expect(await keys()).toEqual([]);
    // A call after the disconnect changes nothing.
    await one.setView("a", [chess]);
    expect(await keys()).toEqual([]);
  });

  test("ends with the lease of a gateway that died, and is removed with its connections", async () => {
    await one.connect(user, "a");
    await one.setView("a", [chess]);
    await world.expire([one]);
    expect(await lookedAt()).toEqual([false, false, false]);
    await other.maintenance.expireLeases();
    const keys = () => world.redis.client.keys("presence:view:*");
    expect(await keys()).toEqual([]);
    // It lives after all: its calls count once its connections are registered again.
    await one.setView("a", [go]);
    expect(await keys()).toEqual([]);
    await one.node.renew();
    expect(await lookedAt()).toEqual([false, true, false]);
  });

  test("ends at once when a gateway stops", async () => {
    await one.connect(user, "a");
    await one.setView("a", [chess]);
    await one.end();
    expect(await lookedAt()).toEqual([false, false, false]);
  });

  test("is registered again with the connections after Redis was emptied", async () => {
    await one.connect(user, "a");
    await one.connect(user, "b");
    await one.setView("a", [chess]);
    await world.redis.client.flushall();
    expect(await lookedAt()).toEqual([false, false, false]);
    await one.node.renew();
    expect(await lookedAt()).toEqual([true, false, false]);
  });

  test("is that of the new lease when a gateway lost its former one, which others then clear", async () => {
    await one.connect(user, "a");
    await one.setView("a", [chess]);
    const former = one.node.lease;
    await one.node.reopen(former);
    await world.expire([]);
    await world.redis.client.zadd("presence:leases", "XX", 1, former);
    await other.maintenance.expireLeases();
    expect(await lookedAt()).toEqual([true, false, false]);
  });

  test("is stored with the registration, also when it was said while that was under way", async () => {
    const connected = [one.connect(user, "a")];
    await Promise.all([one.setView("a", [chess]), one.setView("a", [go])]);
    await Promise.all(connected);
    await waitUntil(async () => (await lookedAt())[1] === true);
    world.redisServer.pause();
    connected.push(one.connect(user, "b"));
    // The script is sent by then.
    await new Promise(setImmediate);
    await one.setView("b", [shogi]);
    world.redisServer.resume();
    await Promise.all(connected);
    await waitUntil(async () => (await lookedAt())[2] === true);
    expect(await lookedAt()).toEqual([false, true, true]);
  });

  test("is unknown without Redis; what changes meanwhile is stored once it is back", async () => {
    await one.connect(user, "a");
    await one.setView("a", [chess]);
    world.redis.client.disconnect();
    await waitUntil(() => !world.redis.ready);
    await one.setView("a", [go]);
    await expect(createViews({ redis: world.redis }).lookedAt([{ userId: user, channelId: chess }])).rejects.toThrow();
    expect(await lookedAt()).toEqual([true, false, false]);
    await world.redis.client.connect();
    await waitUntil(() => world.redis.ready);
    await one.maintenance.run();
    expect(await lookedAt()).toEqual([false, true, false]);
  });
});
