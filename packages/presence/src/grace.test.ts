import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultTimes } from "./options.js";
import { createPresence } from "./presence.js";
import { type GatewayProcess, type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";

let world: PresenceWorld;
let one: GatewayProcess;
let other: GatewayProcess;
let user: string;
const numbered = { isNumbered: true };
const lost = { isLost: true };

beforeAll(async () => {
  world = await startPresenceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  one = world.startGateway();
  other = world.startGateway({ onOtherRedis: true });
  for (const { node } of [one, other]) await node.renew();
  user = await world.createUser();
});
afterAll(() => world.stop());

const expectSeen = async (status: string, heard: readonly string[]) => {
  await world.hearAll();
  expect(await world.truthOf(user)).toEqual({ status, connected: status !== "offline" });
  expect(world.heardOf(user)).toEqual(heard);
};
const expireEverywhere = () => Promise.all([one, other].map(({ maintenance }) => maintenance.expireGraces()));

test("a user whose numbered connection was lost comes back to another node unseen, in the status of before", async () => {
  await one.connect(user, "a", numbered);
  await world.joinVoice(user);
  await one.setStatus(user, { status: "dnd" });
  await one.disconnect(user, "a", lost);
  await expireEverywhere();
  await other.connect(user, "b", numbered);
  await world.passResumeGrace();
  await expireEverywhere();
  await expectSeen("dnd", ["online", "dnd"]);
  expect(await world.voice.channelOf(user)).not.toBeNull();
});

test("a user who does not come back leaves voice and is offline, announced once by any node", async () => {
  await one.connect(user, "a", numbered);
  await world.joinVoice(user);
  await one.disconnect(user, "a", lost);
  await world.passResumeGrace();
  await expireEverywhere();
  await expectSeen("offline", ["online", "offline"]);
  expect(await world.voice.channelOf(user)).toBeNull();
  await other.connect(user, "b", numbered);
  await expectSeen("online", ["online", "offline", "online"]);
});

test("only the loss of a numbered connection begins a grace, and another connection's end does not", async () => {
  await one.connect(user, "a", numbered);
  await one.disconnect(user, "a");
  await expectSeen("offline", ["online", "offline"]);
  await one.connect(user, "b");
  await one.disconnect(user, "b", lost);
  await expectSeen("offline", ["online", "offline", "online", "offline"]);
  await one.connect(user, "c", numbered);
  await other.connect(user, "d");
  await one.disconnect(user, "c", lost);
  await other.disconnect(user, "d", lost);
  await expectSeen("offline", ["online", "offline", "online", "offline", "online", "offline"]);
});

test("a new plain connection ends its user's grace", async () => {
  await one.connect(user, "a", numbered);
  await one.disconnect(user, "a", lost);
  await one.connect(user, "b");
  await world.expire([one]);
  await other.maintenance.expireLeases();
  await expectSeen("offline", ["online", "offline"]);
});

test("the grace of users of a node that died begins with its death, and those of plain connections have none", async () => {
  const plain = await world.createUser();
  const both = await world.createUser();
  await one.connect(user, "a", numbered);
  await one.connect(plain, "b");
  await one.connect(both, "c");
  await one.connect(both, "d", numbered);
  await world.expire([one]);
  await other.maintenance.expireLeases();
  await world.hearAll();
  expect([user, plain, both].map((id) => world.heardOf(id))).toEqual([["online"], ["online", "offline"], ["online"]]);
  const [time] = await world.redis.client.time();
  const until = Number(await world.redis.client.zscore("presence:kept", user)) / 1_000 - Number(time);
  const { resumeGraceMs, leaseMs, renewIntervalMs } = defaultTimes;
  expect(until).toBeLessThanOrEqual((resumeGraceMs - leaseMs + renewIntervalMs) / 1_000 + 1);
  await other.connect(user, "e", numbered);
  await world.passResumeGrace();
  await other.maintenance.expireGraces();
  await world.hearAll();
  expect([user, both].map((id) => world.heardOf(id))).toEqual([["online"], ["online", "offline"]]);
});

test("a node that was taken for dead and is back in time shows nobody a change", async () => {
  await one.connect(user, "a", numbered);
  await world.expire([one]);
  await other.maintenance.expireLeases();
  await one.node.renew();
  await one.settled();
  await world.passResumeGrace();
  await expireEverywhere();
  await expectSeen("online", ["online"]);
});

test("a cancelled grace ends at once, announced once however many nodes cancel it", async () => {
  await one.connect(user, "a", numbered);
  await world.joinVoice(user);
  await one.disconnect(user, "a", lost);
  await Promise.all([one.cancelGrace(user), other.cancelGrace(user)]);
  await expectSeen("offline", ["online", "offline"]);
  expect(await world.voice.channelOf(user)).toBeNull();
});

test("a connection that is lost after its session ended has no grace, whichever node notices; a later one has", async () => {
  await one.connect(user, "a", numbered);
  await other.cancelGrace(user);
  await one.disconnect(user, "a", lost);
  await expectSeen("offline", ["online", "offline"]);
  await one.connect(user, "b", numbered);
  await other.cancelGrace(user);
  await world.expire([one]);
  await other.maintenance.expireLeases();
  await expectSeen("offline", ["online", "offline", "online", "offline"]);
  await other.connect(user, "c", numbered);
  await other.disconnect(user, "c", lost);
  await expectSeen("online", ["online", "offline", "online", "offline", "online"]);
});

test("a node whose lease is young ends only what began under it", async () => {
  await one.connect(user, "a", numbered);
  await one.disconnect(user, "a", lost);
  await world.redis.client.zadd("presence:kept", 1, user);
  await expireEverywhere();
  expect(world.heardOf(user)).toEqual(["online"]);
  const [seconds] = await world.redis.client.time();
  await world.redis.client.hset("presence:steady", one.node.lease, Number(seconds) * 1_000 - 20_000);
  await one.maintenance.expireGraces();
  await expectSeen("offline", ["online", "offline"]);
});

test("a grace that has just begun goes on, whichever node may end it", async () => {
  await one.connect(user, "a", numbered);
  await one.disconnect(user, "a", lost);
  const [seconds] = await world.redis.client.time();
  await world.redis.client.hset("presence:steady", one.node.lease, Number(seconds) * 1_000 - 20_000);
  await one.maintenance.expireGraces();
  await expectSeen("online", ["online"]);
});

test("a gateway ends graces by itself, and begins none when the time is 0", async () => {
  const start = (resumeGraceMs: number) =>
    createPresence({ ...world.options(), nodeId: "n", times: { resumeGraceMs, graceCheckIntervalMs: 10 } });
  const [briefly, never] = [start(300), start(0)];
  await never.connect(user, "a", numbered);
  await never.disconnect(user, "a", lost);
  await expectSeen("offline", ["online", "offline"]);
  await briefly.connect(user, "b", numbered);
  await briefly.disconnect(user, "b", lost);
  await expect.poll(() => world.heardOf(user)).toEqual(["online", "offline", "online", "offline"]);
  await Promise.all([briefly.close(), never.close()]);
});
