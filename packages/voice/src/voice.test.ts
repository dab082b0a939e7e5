import { randomUUID } from "node:crypto";
import { ServiceError } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unpublishedMax } from "./limits.js";
import { createVoice, type Voice } from "./voice.js";
import { idOf, startVoiceWorld, type VoiceWorld } from "./voice-world-fixture.js";

const [c1, c2, d1] = [idOf("c1"), idOf("c2"), idOf("d1")];
const [s1, s2] = [idOf("a1"), idOf("a2")];
const [ann, bob, cid, dan, max, zoe] = [idOf("a0"), idOf("b0"), idOf("c0"), idOf("d0"), idOf("e0"), idOf("f0")];

let world: VoiceWorld;
let voice: Voice;
let otherNode: Voice;
let heard: string[];

beforeAll(async () => {
  world = await startVoiceWorld();
  ({ voice, otherNode, heard } = world);
});
beforeEach(async () => {
  await world.redis.client.flushall();
  heard.length = 0;
});
afterAll(() => world.stop());

const target = (channelId: string, userId = ann, serverId = s1) => ({
  userId,
  username: userId,
  serverId,
  channelId,
});
const unpublished = () => world.redis.client.zcard("voice:unsaid");
const hears = (expected: string[]) =>
  waitUntil(() => heard.length >= expected.length).then(() => expect(heard).toEqual(expected));

describe("voice states", () => {
  test("begin with all flags off and a renewed joined_at, also when joining the same channel again", async () => {
    const first = await voice.join(target(c1));
    expect(first).toMatchObject({ user_id: ann, username: ann, channel_id: c1, self_mute: false });
    await voice.update(ann, c1, { self_mute: true, self_video: true });
    await waitUntil(() => Date.now() > Date.parse(first.joined_at ?? ""));
    const again = await otherNode.join(target(c1));
    expect(again).toMatchObject({ channel_id: c1, self_mute: false, self_video: false });
    expect(Date.parse(again.joined_at ?? "")).toBeGreaterThan(Date.parse(first.joined_at ?? ""));
    expect(await voice.listChannel(c1)).toEqual([again]);
    await hears([`${c1} VOICE_STATE_UPDATE ${c1}`, `${c1} VOICE_STATE_UPDATE ${c1}`, `${c1} VOICE_STATE_UPDATE ${c1}`]);
    expect(await unpublished()).toBe(0);
  });

  test("keep what the server set while switching and lose it by leaving", async () => {
    await voice.join(target(c1));
    const stored = JSON.parse((await world.redis.client.get(`voice:user:${ann}`)) ?? "");
    await world.redis.client.set(`voice:user:${ann}`, JSON.stringify({ ...stored, server_mute: true }));
    expect((await voice.join(target(c2))).server_mute).toBe(true);
    await voice.leave(ann, c2);
    expect((await voice.join(target(c1))).server_mute).toBe(false);
  });

  test("change only from the channel where the user is", async () => {
    await voice.join(target(c1));
    expect(await voice.update(ann, c2, { self_mute: true })).toBeNull();
    expect(await voice.update(bob, c1, { self_mute: true })).toBeNull();
    expect(await voice.leave(ann, c2)).toBe(false);
    expect(await voice.update(ann, c1, { self_deaf: true })).toMatchObject({ self_deaf: true, self_mute: false });
    expect(await voice.leave(ann, c1)).toBe(true);
    expect(await voice.leave(ann, c1)).toBe(false);
    await hears([`${c1} VOICE_STATE_UPDATE ${c1}`, `${c1} VOICE_STATE_UPDATE ${c1}`, `${c1} VOICE_STATE_UPDATE null`]);
  });

  test("voice states are listed by joined_at", async () => {
    for (const user of [zoe, ann, max]) {
      const { joined_at } = await voice.join(target(c1, user));
      await waitUntil(() => Date.now() > Date.parse(joined_at ?? ""));
    }
    expect((await voice.listChannel(c1)).map((state) => state.user_id)).toEqual([zoe, ann, max]);
  });

  test("move: the old channel receives it first when it is in another server", async () => {
    await voice.join(target(c1));
    await voice.join(target(c2));
    await voice.join(target(d1, ann, s2));
    expect(await voice.channelOf(ann)).toEqual({ serverId: s2, channelId: d1 });
    await hears([
      `${c1} VOICE_STATE_UPDATE ${c1}`,
      ...[`${c1} VOICE_STATE_UPDATE null`, `${c2} VOICE_STATE_UPDATE ${c2}`],
      ...[`${c2} VOICE_STATE_UPDATE null`, `${d1} VOICE_STATE_UPDATE ${d1}`],
    ]);
  });

  test("end with the membership in that server, and in no other", async () => {
    await voice.join(target(c1));
    expect(await voice.leaveServer(ann, s2)).toBe(false);
    expect(await voice.leaveServer(ann, s1)).toBe(true);
    expect(await voice.channelOf(ann)).toBeNull();
  });

  test("end with the last connection unless they began after it", async () => {
    const { joined_at } = await voice.join(target(c1));
    const joinedAtMs = Date.parse(joined_at ?? "");
    expect(await voice.endAllOfUser(ann, { joinedUpToMs: joinedAtMs - 1 })).toBe(false);
    expect(await voice.endAllOfUser(ann, { joinedUpToMs: joinedAtMs })).toBe(true);
    await voice.join(target(c1));
    expect(await voice.endAllOfUser(ann)).toBe(true);
    expect(await voice.endAllOfUser(ann)).toBe(false);
  });

  test("end with their channel or server, and leave nothing behind", async () => {
    await Promise.all([ann, bob].map((user) => voice.join(target(c1, user))));
    await voice.join(target(c2, cid));
    await voice.join(target(d1, dan, s2));
    await voice.startGoLive({ userId: ann, channelId: c1, quality: "720p" });
    await voice.clearChannel(c1);
    expect(await voice.listChannel(c1)).toEqual([]);
    expect(await voice.getGoLive(c1)).toBeNull();
    await voice.clearServer(s1);
    expect(await voice.channelOf(cid)).toBeNull();
    expect(await voice.channelOf(dan)).toEqual({ serverId: s2, channelId: d1 });
    await voice.clearServer(s2);
    expect(await world.redis.client.keys("*")).toEqual(["voice:version"]);
    const leaves = (channel: string) => heard.filter((event) => event === `${channel} VOICE_STATE_UPDATE null`).length;
    await waitUntil(() => leaves(c1) === 2 && leaves(c2) === 1 && leaves(d1) === 1);
  });

  test("let two different users of one channel signal each other", async () => {
    await voice.join(target(c1));
    await voice.join(target(c1, bob));
    await voice.join(target(c2, cid));
    expect(await voice.shareChannel(ann, bob)).toBe(c1);
    expect(await voice.shareChannel(ann, cid)).toBeNull();
    expect(await voice.shareChannel(ann, "nobody")).toBeNull();
    expect(await voice.shareChannel(ann, ann)).toBeNull();
  });
});

describe("broadcasts", () => {
  const live = (userId: string, quality: "480p" | "720p" | "1080p" = "720p") =>
    voice.startGoLive({ userId, channelId: c1, quality });

  test("belong to one member of the channel, who may renew and end them", async () => {
    expect(await live(ann)).toEqual({ outcome: "not_in_channel" });
    await voice.join(target(c1));
    await voice.join(target(c1, bob));
    expect(await voice.stopGoLive(ann, c1)).toBe("none");
    expect(await live(ann)).toMatchObject({ session: { broadcaster_id: ann, channel_id: c1, quality: "720p" } });
    expect(await live(bob)).toEqual({ outcome: "taken" });
    expect(await live(ann, "1080p")).toMatchObject({ outcome: "started", session: { quality: "1080p" } });
    expect(await voice.getGoLive(c1)).toMatchObject({ broadcaster_id: ann, quality: "1080p" });
    expect(await voice.stopGoLive(bob, c1)).toBe("not_broadcaster");
    expect(await voice.stopGoLive(ann, c1)).toBe("stopped");
    expect(await voice.getGoLive(c1)).toBeNull();
  });

  test.each<[string, () => Promise<unknown>]>([
    ["leaves", () => voice.leave(ann, c1)],
    ["moves", () => voice.join(target(c2))],
    ["is kicked", () => voice.leaveServer(ann, s1)],
  ])("stop, before the leave is announced, when the broadcaster %s", async (_name, act) => {
    await voice.join(target(c1));
    await live(ann);
    await act();
    expect(await voice.getGoLive(c1)).toBeNull();
    await waitUntil(() => heard.includes(`${c1} VOICE_STATE_UPDATE null`));
    expect(heard.slice(0, 4)).toEqual([
      `${c1} VOICE_STATE_UPDATE ${c1}`,
      `${c1} GO_LIVE_START ${c1}`,
      `${c1} GO_LIVE_STOP ${c1}`,
      `${c1} VOICE_STATE_UPDATE null`,
    ]);
  });

  test("go on when somebody else leaves or the broadcaster joins the same channel again", async () => {
    await voice.join(target(c1));
    await voice.join(target(c1, bob));
    await live(ann);
    await voice.leave(bob, c1);
    await voice.join(target(c1));
    expect(await voice.getGoLive(c1)).toMatchObject({ broadcaster_id: ann });
  });
});

describe("two processes at once", () => {
  test("leave a user who joins 50 channels at once in exactly one, and all receive which", async () => {
    const channels = Array.from({ length: 50 }, (_, n) => idOf(`c${n}`));
    await Promise.all(channels.map((channel, n) => (n % 2 ? voice : otherNode).join(target(channel))));
    const lists = await Promise.all(channels.map((channel) => voice.listChannel(channel)));
    const holding = channels.filter((_, n) => lists[n]?.length === 1);
    expect(lists.flat()).toHaveLength(1);
    expect(await voice.channelOf(ann)).toEqual({ serverId: s1, channelId: holding[0] });
    expect(await unpublished()).toBe(0);
    await waitUntil(() => beliefs().length === 1 && beliefs()[0] === holding[0], { what: "the last word to be true" });
  });

  test("let one of 20 users go live", async () => {
    const users = Array.from({ length: 20 }, (_, n) => idOf(`e${n}`));
    await Promise.all(users.map((user) => voice.join(target(c1, user))));
    const outcomes = await Promise.all(
      users.map((userId, n) => (n % 2 ? voice : otherNode).startGoLive({ userId, channelId: c1, quality: "480p" })),
    );
    const winners = outcomes.flatMap((result) => (result.outcome === "started" ? [result.session.broadcaster_id] : []));
    expect(winners).toHaveLength(1);
    expect((await voice.getGoLive(c1))?.broadcaster_id).toBe(winners[0]);
  });

  /** The channels whose viewers believe, by the last word that they heard, that ann is there. */
  function beliefs(): string[] {
    const last = new Map<string, boolean>();
    for (const event of heard) {
      const [channel = "", , named = ""] = event.split(" ");
      last.set(channel, named !== "null");
    }
    return [...last].flatMap(([channel, isThere]) => (isThere ? [channel] : []));
  }
});

describe("faults", () => {
  test("publishes what a process that died had not: the present state, to those who received nothing", async () => {
    await voice.join(target(c1));
    await waitUntil(() => heard.length === 1);
    // The outbox of a dying process stores nothing.
    const dying = createVoice({
      redis: world.otherRedis,
      outbox: { ...world.outbox, transaction: () => Promise.reject(new Error("killed")) },
    });
    await expect(dying.leave(ann, c1)).rejects.toThrow("killed");
    await expect(dying.join(target(c2))).rejects.toThrow("killed");
    expect(await voice.republish()).toBe(0);
    for (const text of await world.redis.client.zrange("voice:unsaid", "0", "-1")) {
      await world.redis.client.zadd("voice:unsaid", Date.now() - 10_001, text);
    }
    const found = await Promise.all([voice.republish(), otherNode.republish()]);
    expect(found.reduce((sum, count) => sum + count)).toBe(2);
    await waitUntil(async () => (await unpublished()) === 0);
    await waitUntil(() => heard.includes(`${c2} VOICE_STATE_UPDATE ${c2}`));
    expect(heard[1]).toBe(`${c1} VOICE_STATE_UPDATE null`);
  });

  test("refuses what can be repeated while too many changes wait to be published, and ends what there is", async () => {
    await voice.join(target(c1));
    const waiting = Array.from({ length: unpublishedMax }, (_, n) => [Date.now(), `change ${n}`]);
    await world.redis.client.zadd("voice:unsaid", ...waiting.flat());
    const unavailable = { kind: "unavailable" };
    await expect(voice.join(target(c2))).rejects.toMatchObject(unavailable);
    await expect(otherNode.update(ann, c1, { self_mute: true })).rejects.toMatchObject(unavailable);
    await expect(voice.startGoLive({ userId: ann, channelId: c1, quality: "480p" })).rejects.toMatchObject(unavailable);
    expect(await unpublished()).toBe(unpublishedMax);
    expect(await voice.leave(ann, c1)).toBe(true);
    await world.redis.client.del("voice:unsaid");
    expect(await voice.join(target(c2))).toMatchObject({ channel_id: c2 });
  });

  test("answers unavailable while Redis is away, and works again afterwards", async () => {
    await world.redisServer.kill();
    await waitUntil(() => !world.redis.ready);
    const error = await voice.join(target(c1, randomUUID())).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ kind: "unavailable", message: "Service unavailable" });
    await world.redisServer.restart();
    await waitUntil(() => world.redis.ready && world.otherRedis.ready);
    expect((await voice.join(target(c1))).channel_id).toBe(c1);
  });
});
