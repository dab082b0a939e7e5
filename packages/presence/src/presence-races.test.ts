import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultTimes } from "./options.js";
import { createPresenceStatuses } from "./presence.js";
import { type GatewayProcess, type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";
import { createRegistry } from "./registry.js";
import { saveTransitions } from "./status-row.js";

let world: PresenceWorld;
let one: GatewayProcess;
let other: GatewayProcess;
let user: string;

beforeAll(async () => {
  world = await startPresenceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  one = world.startGateway();
  other = world.startGateway({ onOtherRedis: true });
  user = await world.createUser();
});
afterAll(() => world.stop());

const pendingTransition = (id: string) => world.redis.client.hget(`presence:transition:${id}`, "version");

test("an offline that is saved late never undoes a newer connect", async () => {
  await one.connect(user, "a");
  const release = one.holdDatabase();
  const leaving = one.disconnect(user, "a");
  await waitUntil(() => pendingTransition(user));
  await other.connect(user, "b");
  expect(await world.truthOf(user)).toEqual({ status: "online", connected: true });
  release();
  await leaving;
  await world.hearAll();
  expect(await world.truthOf(user)).toEqual({ status: "online", connected: true });
  expect(world.heardOf(user)).toEqual(["online", "online"]);
});

test("an end of voice that comes late spares the voice state that was begun since", async () => {
  await one.connect(user, "a");
  // The process dies right after the script.
  const registry = createRegistry({ redis: world.redis, times: defaultTimes });
  await registry.unregister([
    { lease: one.node.lease, userId: user, connectionId: "a", isNumbered: false, graceMs: 0 },
  ]);
  const ended = Number(await world.redis.client.hget(`presence:transition:${user}`, "ended"));
  await waitUntil(() => Date.now() > ended / 1000 + 1);
  await world.joinVoice(user);
  await world.passGrace();
  await other.maintenance.saveOverdue();
  expect(await world.truthOf(user)).toEqual({ status: "offline", connected: false });
  expect(await world.voice.channelOf(user)).not.toBeNull();
});

test("voice ends with the last connection even when the next one is there before that is saved", async () => {
  await one.connect(user, "a");
  const { joined_at } = await world.joinVoice(user);
  await waitUntil(() => Date.now() > Date.parse(joined_at ?? ""));
  const release = one.holdDatabase();
  one.cutOffDatabase();
  const leaving = one.disconnect(user, "a");
  await waitUntil(() => pendingTransition(user));
  await other.connect(user, "b");
  expect(await world.voice.channelOf(user)).toBeNull();
  release();
  await leaving;
});

test("an online that is saved late never undoes a status that was set after it", async () => {
  const release = one.holdDatabase();
  const connecting = one.connect(user, "a");
  await waitUntil(() => pendingTransition(user));
  await createPresenceStatuses(world.options(world.otherRedis)).setStatus(user, { status: "dnd" });
  release();
  await connecting;
  await world.hearAll();
  expect(await world.truthOf(user)).toEqual({ status: "dnd", connected: true });
  expect(world.heardOf(user)).toEqual(["online", "dnd"]);
});

test("a status set over a connection is saved before that connection's end, however slow the database is", async () => {
  await one.connect(user, "a");
  const release = one.holdDatabase();
  const setting = one.setStatus(user, { status: "away" });
  const leaving = one.disconnect(user, "a");
  release();
  await Promise.all([setting, leaving]);
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online", "away", "offline"]);
});

test("a reconnect that overlaps the old connection announces no change", async () => {
  for (let n = 0; n < 30; n += 1) {
    await one.connect(user, `old-${n}`);
    const [from, to] = n % 2 ? [other, one] : [one, other];
    if (n === 0) await from.connect(user, "0");
    await to.connect(user, `${n + 1}`);
    await from.disconnect(user, `${n}`);
  }
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online"]);
});

test("a user who disconnects from one process and connects to another at the same time ends online, and is announced so", async () => {
  const users = await world.createUsers(60);
  await Promise.all(users.map((id) => one.connect(id, `${id}-a`)));
  await Promise.all(users.flatMap((id) => [one.disconnect(id, `${id}-a`), other.connect(id, `${id}-b`)]));
  await world.hearAll();
  for (const id of users) {
    expect(await world.truthOf(id)).toEqual({ status: "online", connected: true });
    expect(world.heardOf(id).at(-1)).toBe("online");
  }
});

test("hundreds of connects and disconnects of the same users at once on two nodes count exactly", async () => {
  const users = await world.createUsers(8);
  const staying = new Set(users.filter((_, n) => n % 2 === 0));
  await Promise.all(
    users.flatMap((id) =>
      Array.from({ length: 40 }, async (_, n) => {
        const gateway = n % 2 ? one : other;
        await gateway.connect(id, `${id}-${n}`);
        if (n > 0 || !staying.has(id)) await gateway.disconnect(id, `${id}-${n}`);
      }),
    ),
  );
  await world.hearAll();
  for (const id of users) {
    const status = staying.has(id) ? "online" : "offline";
    expect(await world.truthOf(id)).toEqual({ status, connected: staying.has(id) });
    expect(world.heardOf(id).at(-1)).toBe(status);
  }
  expect(await one.connectionCount()).toBe(staying.size);
  expect(await world.redis.client.zcard("presence:unsaved")).toBe(0);
});

test("a transition whose process died after saving it is announced by another", async () => {
  const registry = createRegistry({ redis: world.redis, times: defaultTimes });
  await one.node.reopen(one.node.lease);
  const connection = { userId: user, connectionId: "a", isNumbered: false };
  const registration = { ...connection, order: null, previousLease: null, view: "" };
  await registry.register(one.node.lease, [registration], { repair: false });
  await saveTransitions(world.database, await registry.transitions([user]));
  await world.passGrace();
  await other.maintenance.saveOverdue();
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["online"]);
  expect(await pendingTransition(user)).toBeNull();
});

test("a status that is announced late is followed by the present one", async () => {
  const release = one.holdDatabase({ answers: true });
  const setting = one.setStatus(user, { status: "dnd" });
  await waitUntil(async () => (await world.truthOf(user)).status === "dnd");
  await other.setStatus(user, { status: "away" });
  release();
  await setting;
  await world.hearAll();
  expect(world.heardOf(user)).toEqual(["away", "dnd", "away"]);
});

test("of statuses set at once by many, the one that is saved is the one heard last", async () => {
  const apis = [world.redis, world.otherRedis].map((redis) => createPresenceStatuses(world.options(redis)));
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => apis[n % 2]?.setStatus(user, { status: n % 3 ? "away" : "dnd" })),
    );
    await world.hearAll();
    expect(world.heardOf(user).at(-1)).toBe((await world.truthOf(user)).status);
  }
});

test("a dead process' users are removed exactly once, however many try", async () => {
  const users = await world.createUsers(230);
  const dead = world.startGateway();
  await Promise.all(users.map((id) => dead.connect(id, id)));
  await one.connect(users[0] ?? "", "elsewhere");
  await other.node.renew();
  await world.expire([dead]);
  await Promise.all([one, other, one, other].map(({ maintenance }) => maintenance.expireLeases()));
  await world.hearAll();
  expect(users.map((id) => world.heardOf(id).join())).toEqual([
    "online",
    ...Array.from({ length: 229 }, () => "online,offline"),
  ]);
});
