import { modelSteps } from "@parley/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Voice } from "./voice.js";
import { idOf, startVoiceWorld, type VoiceWorld } from "./voice-world-fixture.js";

let world: VoiceWorld;
beforeAll(async () => {
  world = await startVoiceWorld();
});
afterAll(() => world.stop());

/** Channels of two servers. */
const [a, a1, a2, b, b1] = [idOf("a"), idOf("a1"), idOf("a2"), idOf("b"), idOf("b1")];
const serverOf: Record<string, string> = { [a1]: a, [a2]: a, [b1]: b };
const channels = Object.keys(serverOf);
const users = [idOf("a00"), idOf("b00")];

/** The expected state: places of users, their own mutes, and live broadcasts. */
interface Model {
  places: Map<string, { channel: string; muted: boolean }>;
  live: Map<string, string>;
}

function modelLeave(model: Model, user: string): void {
  const place = model.places.get(user);
  if (place !== undefined && model.live.get(place.channel) === user) model.live.delete(place.channel);
  model.places.delete(user);
}

type Step = (voice: Voice, model: Model) => Promise<void>;
const anyUser = fc.constantFrom(...users);
const anyChannel = fc.constantFrom(...channels);

const join = fc.tuple(anyUser, anyChannel).map(([user, channel]): [string, Step] => [
  `join ${user} ${channel}`,
  async (voice, model) => {
    const serverId = serverOf[channel] ?? "";
    const state = await voice.join({ userId: user, username: user, serverId, channelId: channel });
    expect(state).toMatchObject({ user_id: user, channel_id: channel, self_mute: false });
    if (model.places.get(user)?.channel !== channel) modelLeave(model, user);
    model.places.set(user, { channel, muted: false });
  },
]);
const mute = fc.tuple(anyUser, anyChannel, fc.boolean()).map(([user, channel, muted]): [string, Step] => [
  `mute ${user} ${channel} ${muted}`,
  async (voice, model) => {
    const place = model.places.get(user);
    const here = place?.channel === channel;
    expect((await voice.update(user, channel, { self_mute: muted }))?.self_mute).toBe(here ? muted : undefined);
    if (place !== undefined && here) place.muted = muted;
  },
]);
const leave = fc.tuple(anyUser, anyChannel).map(([user, channel]): [string, Step] => [
  `leave ${user} ${channel}`,
  async (voice, model) => {
    const here = model.places.get(user)?.channel === channel;
    expect(await voice.leave(user, channel)).toBe(here);
    if (here) modelLeave(model, user);
  },
]);
const leaveServer = fc.tuple(anyUser, fc.constantFrom(a, b)).map(([user, server]): [string, Step] => [
  `leave server ${user} ${server}`,
  async (voice, model) => {
    const here = serverOf[model.places.get(user)?.channel ?? ""] === server;
    expect(await voice.leaveServer(user, server)).toBe(here);
    if (here) modelLeave(model, user);
  },
]);
const clear = fc.constantFrom(a1, b1, a).map((place): [string, Step] => [
  `clear ${place}`,
  async (voice, model) => {
    await (place === a ? voice.clearServer(place) : voice.clearChannel(place));
    for (const [user, { channel }] of [...model.places]) {
      if (channel === place || serverOf[channel] === place) modelLeave(model, user);
    }
  },
]);
const goLive = fc.tuple(anyUser, anyChannel).map(([userId, channelId]): [string, Step] => [
  `go live ${userId} ${channelId}`,
  async (voice, model) => {
    const { outcome } = await voice.startGoLive({ userId, channelId, quality: "720p" });
    const here = model.places.get(userId)?.channel === channelId;
    const free = [undefined, userId].includes(model.live.get(channelId));
    expect(outcome).toBe(here ? (free ? "started" : "taken") : "not_in_channel");
    if (outcome === "started") model.live.set(channelId, userId);
  },
]);
const stopLive = fc.tuple(anyUser, anyChannel).map(([user, channel]): [string, Step] => [
  `stop live ${user} ${channel}`,
  async (voice, model) => {
    const broadcaster = model.live.get(channel);
    const expected = broadcaster === undefined ? "none" : broadcaster === user ? "stopped" : "not_broadcaster";
    expect(await voice.stopGoLive(user, channel)).toBe(expected);
    if (broadcaster === user) model.live.delete(channel);
  },
]);

async function compare({ voice, redis }: VoiceWorld, model: Model): Promise<void> {
  for (const channel of channels) {
    const here = [...model.places].filter(([, place]) => place.channel === channel);
    const listed = (await voice.listChannel(channel)).map(({ user_id, self_mute }) => [user_id, self_mute]);
    expect(new Map(listed.map(([user, muted]) => [user, muted]))).toEqual(
      new Map(here.map(([user, { muted }]) => [user, muted])),
    );
    expect((await voice.getGoLive(channel))?.broadcaster_id).toBe(model.live.get(channel));
  }
  for (const user of users) {
    expect((await voice.channelOf(user))?.channelId).toBe(model.places.get(user)?.channel);
  }
  expect(await redis.client.zcard("voice:unsaid")).toBe(0);
}

/** In which channels clients believe somebody to be live, by the last word that they heard. */
function liveBeliefs(heard: readonly string[]): Map<string, boolean> {
  const live = new Map<string, boolean>();
  for (const event of heard) {
    const [channel = "", name = ""] = event.split(" ");
    if (name === "GO_LIVE_START") live.set(channel, true);
    if (name === "GO_LIVE_STOP") live.set(channel, false);
  }
  return live;
}

test("any sequence of changes from two processes leaves what the rules say, and nothing else", async () => {
  const step = fc.oneof(join, join, mute, leave, leaveServer, clear, goLive, goLive, stopLive);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 30, size: "max" }), async (steps) => {
      await world.redis.client.flushall();
      const model: Model = { places: new Map(), live: new Map() };
      for (const [[, run], onOther] of steps) await run(onOther ? world.otherNode : world.voice, model);
      await compare(world, model);
      await world.hearAll();
      for (const [channel, isLive] of liveBeliefs(world.heard)) expect(isLive).toBe(model.live.has(channel));
      world.heard.length = 0;
    }),
    { numRuns: modelSteps(150), interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
});
