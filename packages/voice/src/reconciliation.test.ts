import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createVoice } from "./voice.js";
import { idOf, startVoiceWorld, type VoiceWorld } from "./voice-world-fixture.js";

const [server, c1, c2] = [idOf("a1"), idOf("c1"), idOf("c2")];
const [otherServer, d1] = [idOf("a2"), idOf("d1")];
const [ann, bob, cid, dan] = [idOf("a0"), idOf("b0"), idOf("c0"), idOf("d0")];

let world: VoiceWorld;
beforeAll(async () => {
  world = await startVoiceWorld();
});
beforeEach(async () => {
  await world.redis.client.flushall();
  await world.deleteRecorded();
  world.heardOf.clear();
});
afterAll(() => world.stop());

const join = (userId: string, channelId: string, serverId = server) =>
  world.voice.join({ userId, username: `name-${userId}`, serverId, channelId });
const goLive = (userId: string, channelId: string) => world.voice.startGoLive({ userId, channelId, quality: "720p" });
/** Both processes look at once. */
const look = async () => {
  const ends = await Promise.all([world.reconciliation, world.otherReconciliation].map(({ reconcile }) => reconcile()));
  await world.hearAll();
  return ends.reduce((sum, count) => sum + count);
};
const heardOf = (userId: string) => world.heardOf.get(userId) ?? [];
const present = (channel: string) => `${channel} VOICE_STATE_UPDATE ${channel}`;
const gone = (channel: string) => `${channel} VOICE_STATE_UPDATE null`;

test("current states stay, and ended ones are removed", async () => {
  await join(ann, c1);
  await goLive(ann, c1);
  await join(bob, c1);
  await join(bob, d1, otherServer);
  await join(cid, c1);
  await world.voice.leave(cid, c1);
  expect(await look()).toBe(0);
  expect((await world.recorded()).sort()).toEqual([`go_live ${c1} ${ann}`, `voice ${c1} ${ann}`, `voice ${d1} ${bob}`]);
  await world.voice.clearServer(server);
  await world.voice.clearServer(otherServer);
  expect(await world.recorded()).toEqual([]);
});

test("after FLUSHALL everybody's leave is announced, once, their broadcast's end first", async () => {
  await Promise.all([ann, bob, cid].map((user) => join(user, c1)));
  await join(dan, d1, otherServer);
  await goLive(ann, c1);
  await world.redis.client.flushall();
  expect(await look()).toBe(5);
  expect(await look()).toBe(0);
  expect(heardOf(ann)).toEqual([present(c1), `${c1} GO_LIVE_START ${c1}`, `${c1} GO_LIVE_STOP ${c1}`, gone(c1)]);
  for (const user of [bob, cid]) expect(heardOf(user)).toEqual([present(c1), gone(c1)]);
  expect(heardOf(dan)).toEqual([present(d1), gone(d1)]);
  expect(await world.recorded()).toEqual([]);
});

test("more than one look reads at a time are all ended by one", async () => {
  const users = Array.from({ length: 600 }, (_, n) => idOf(`f${n}`));
  for (let start = 0; start < users.length; start += 50) {
    await Promise.all(users.slice(start, start + 50).map((user) => join(user, c1)));
  }
  await world.redis.client.flushall();
  expect(await look()).toBe(600);
  for (const user of users) expect(heardOf(user)).toEqual([present(c1), gone(c1)]);
});

test("a user who joins again after FLUSHALL stays in; their lost broadcast ends, and so does their former place", async () => {
  for (const user of [ann, bob, cid]) await join(user, c1);
  await goLive(ann, c1);
  await world.redis.client.flushall();
  await join(ann, c1);
  await join(bob, c2);
  await join(cid, d1, otherServer);
  await look();
  expect(await look()).toBe(0);
  expect(heardOf(ann)).toEqual([
    ...[present(c1), `${c1} GO_LIVE_START ${c1}`],
    ...[present(c1), `${c1} GO_LIVE_STOP ${c1}`],
  ]);
  // Those who see both channels hear last where the user is; those who see only the old one, that they left.
  expect(heardOf(bob)).toEqual([present(c1), present(c2), gone(c1), present(c2)]);
  expect(heardOf(cid)).toEqual([present(c1), present(d1), gone(c1), present(d1)]);
  expect((await world.recorded()).sort()).toEqual([`voice ${c1} ${ann}`, `voice ${c2} ${bob}`, `voice ${d1} ${cid}`]);
});

test("a leave that is about to be announced is left to the process that announces it", async () => {
  await join(ann, c1);
  const dying = createVoice({
    redis: world.otherRedis,
    outbox: { ...world.outbox, transaction: () => Promise.reject(new Error("killed")) },
  });
  await expect(dying.leave(ann, c1)).rejects.toThrow("killed");
  expect(await look()).toBe(0);
  expect(heardOf(ann)).toEqual([present(c1)]);
});

test("joins, leaves and looks at any moment around FLUSHALL end with the true state announced", async () => {
  const users = Array.from({ length: 12 }, (_, n) => idOf(`e${n}`));
  const channels = [c1, c2];
  for (let round = 0; round < 10; round += 1) {
    const act = (user: string, n: number) =>
      (n + round) % 3 === 0
        ? world.voice.leave(user, channels[n % 2] ?? c1)
        : (n % 2 === 0 ? world.voice : world.otherNode).join({
            userId: user,
            username: "x",
            serverId: server,
            channelId: channels[(n + round) % 2] ?? c1,
          });
    const flush = () => world.redis.client.flushall();
    await Promise.all([...users.slice(0, 6).map(act), flush(), look(), ...users.slice(6).map(act), look()]);
    await look();
    await look();
    const present = new Map<string, string | null>();
    for (const user of users) present.set(user, (await world.voice.channelOf(user))?.channelId ?? null);
    for (const [user, channel] of present) {
      const last = heardOf(user).at(-1);
      if (last !== undefined) expect(last.split(" ")[2]).toBe(String(channel));
    }
    const recorded = [...present].flatMap(([user, channel]) => (channel === null ? [] : [`voice ${channel} ${user}`]));
    expect((await world.recorded()).sort()).toEqual(recorded.sort());
  }
});
