import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
  readStored,
  storedRange,
} from "@parley/messaging";
import { createOutbox, type Outbox } from "@parley/outbox";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createTestDatabase, startNats, startRedis, type TestDatabase, waitUntil } from "@parley/testing";
import { createVoice, type Voice } from "@parley/voice";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createModeration, type Moderation } from "./moderation.js";

const logger = { info() {}, warn() {}, error() {} };
let testDatabase: TestDatabase;
let redisServer: Awaited<ReturnType<typeof startRedis>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let database: Database;
let redis: RedisConnection;
let messaging: Messaging;
let outbox: Outbox;
let voice: Voice;
let moderation: Moderation;
let serverId: string;
let channelId: string;
let ownerId: string;
let userId: string;

beforeAll(async () => {
  [testDatabase, redisServer, nats] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  database = await connectDatabase({ url: testDatabase.url, poolMax: 5, applicationName: "test", logger });
  redis = await connectRedis({ url: redisServer.url, name: "test", logger });
  messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  outbox = createOutbox({ database, messaging, logger });
  voice = createVoice({ redis, outbox });
  moderation = createModeration({ outbox, voice, logger });
});
afterAll(async () => {
  await outbox?.close();
  await Promise.all([database?.close(), redis?.close(), messaging?.close()]);
  await Promise.all([testDatabase?.drop(), redisServer?.stop(), nats?.stop()]);
});
beforeEach(async () => {
  ownerId = await newUser();
  userId = await newUser();
  const server = await database.prisma.server.create({
    data: { name: "s", owner_id: ownerId, channels: { create: { name: "v", type: "voice", position: 0 } } },
    include: { channels: true },
  });
  serverId = server.id;
  channelId = server.channels[0]?.id ?? "";
  await database.prisma.member.create({ data: { server_id: serverId, user_id: userId } });
});

const newUser = async () => {
  const { id } = await database.prisma.user.create({ data: { username: `u_${randomUUID().slice(0, 8)}` } });
  return id;
};

/** Names of the events that the work stores, in the order of the stream. */
async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { lastSequence } = await storedRange(messaging);
  await work();
  const names: string[] = [];
  const range = { from: lastSequence + 1, to: (await storedRange(messaging)).lastSequence };
  await readStored(messaging, range, ({ address }) => {
    names.push(address.event);
  });
  return names;
}

test.each([
  ["kick", ["MEMBER_KICK"], () => moderation.kick({ serverId, userId, reason: null })],
  ["ban", ["MEMBER_BAN", "MEMBER_BAN"], () => moderation.ban({ serverId, userId, reason: null, bannedBy: ownerId })],
])(
  "a %s ends voice and broadcast, is announced, and then takes the membership, in this order",
  async (_, events, act) => {
    await voice.join({ userId, username: "u", serverId, channelId });
    await voice.startGoLive({ userId, channelId, quality: "720p" });
    expect(await eventsOf(act)).toEqual([
      "GO_LIVE_STOP",
      "VOICE_STATE_UPDATE",
      ...events,
      "MEMBER_LEAVE",
      "SERVER_LEFT",
    ]);
    expect(await voice.channelOf(userId)).toBeNull();
    expect(await database.prisma.member.count({ where: { server_id: serverId, user_id: userId } })).toBe(0);
  },
);

test("voice in another server stays", async () => {
  const elsewhere = randomUUID();
  await voice.join({ userId, username: "u", serverId: elsewhere, channelId: randomUUID() });
  const act = () => moderation.kick({ serverId, userId, reason: "r" });
  expect(await eventsOf(act)).toEqual(["MEMBER_KICK", "MEMBER_LEAVE", "SERVER_LEFT"]);
  expect((await voice.channelOf(userId))?.serverId).toBe(elsewhere);
});

test("a kick of somebody who is gone by now announces nothing", async () => {
  await moderation.kick({ serverId, userId, reason: null });
  const again = () => expect(moderation.kick({ serverId, userId, reason: null })).rejects.toThrow("Server not found");
  expect(await eventsOf(again)).toEqual([]);
});

test("a ban of a stranger announces the ban, once for each version, and no departure; of nobody it is refused", async () => {
  const stranger = await newUser();
  const ban = (target: string) => moderation.ban({ serverId, userId: target, reason: null, bannedBy: ownerId });
  expect(await eventsOf(() => ban(stranger))).toEqual(["MEMBER_BAN", "MEMBER_BAN"]);
  const refused = () => expect(ban(randomUUID())).rejects.toThrow("User not found");
  expect(await eventsOf(refused)).toEqual([]);
});

test("a kick succeeds without Redis; the voice state ends when Redis is back", async () => {
  await voice.join({ userId, username: "u", serverId, channelId });
  await redisServer.stop();
  expect(await eventsOf(() => moderation.kick({ serverId, userId, reason: null }))).toEqual([
    "MEMBER_KICK",
    "MEMBER_LEAVE",
    "SERVER_LEFT",
  ]);
  await redisServer.restart();
  await waitUntil(async () => (await voice.channelOf(userId)) === null);
});

test("timeouts in parallel leave the one whose answer says so", async () => {
  const minutes = Array.from({ length: 10 }, (_, index) => index + 1);
  const answers = await Promise.all(
    minutes.map((count) => moderation.timeout({ serverId, userId, minutes: count, reason: null, createdBy: ownerId })),
  );
  const row = await database.prisma.timeout.findFirstOrThrow({ where: { server_id: serverId, user_id: userId } });
  expect(answers.map(({ expires_at }) => expires_at)).toContain(row.expires_at.toISOString());
  expect(row.automatic).toBe(false);
});
