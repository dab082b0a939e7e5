import { randomUUID } from "node:crypto";
import type { AutomodStored } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
  readStored,
  storedRange,
} from "@parley/messaging";
import { createEndingVoice } from "@parley/moderation";
import { createOutbox, type Outbox } from "@parley/outbox";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createMetrics } from "@parley/service-runtime";
import { createTestDatabase, startNats, startRedis, type TestDatabase } from "@parley/testing";
import { createVoice } from "@parley/voice";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createArrivals } from "./arrivals.js";
import { createEnforce } from "./enforce.js";
import { createJudge } from "./judge.js";
import { createJudgeStored, type JudgeStored } from "./judge-stored.js";
import { createJudgedMarks } from "./judged-marks.js";
import { createAutomodMetrics } from "./metrics.js";
import { createRecentMessages } from "./recent-messages.js";
import { createReservations } from "./reservations.js";
import { sentAtMs } from "./sent-at.js";
import { createWordLists } from "./word-lists.js";

const logger = { info() {}, warn() {}, error() {} };
let testDatabase: TestDatabase;
let redisServer: Awaited<ReturnType<typeof startRedis>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let database: Database;
let messaging: Messaging;
let outbox: Outbox;
const connections: RedisConnection[] = [];
/** Two processes' worth. */
let instances: JudgeStored[];
let serverId: string;
let channelId: string;
let userId: string;

async function startInstance(): Promise<JudgeStored> {
  const redis = await connectRedis({ url: redisServer.url, name: "test", logger });
  connections.push(redis);
  const judge = createJudge({
    words: createWordLists({ database }),
    recent: createRecentMessages({ database }),
    reservations: createReservations({ redis }),
    arrivals: createArrivals({ redis }),
  });
  const endingVoice = createEndingVoice({ voice: createVoice({ redis, outbox }), logger });
  const enforce = createEnforce({ database, outbox, endingVoice });
  const metrics = createAutomodMetrics(createMetrics({ service: "test" }));
  return createJudgeStored({ judge, enforce, marks: createJudgedMarks({ redis }), metrics });
}

beforeAll(async () => {
  [testDatabase, redisServer, nats] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  database = await connectDatabase({ url: testDatabase.url, poolMax: 10, applicationName: "test", logger });
  messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  outbox = createOutbox({ database, messaging, logger });
  instances = await Promise.all([startInstance(), startInstance()]);
});
afterAll(async () => {
  await outbox?.close();
  await Promise.all([database?.close(), messaging?.close(), ...connections.map((redis) => redis.close())]);
  await Promise.all([testDatabase?.drop(), redisServer?.stop(), nats?.stop()]);
});
beforeEach(async () => {
  const { prisma } = database;
  const newUser = () => prisma.user.create({ data: { username: `u_${randomUUID().slice(0, 8)}` } });
  const [owner, user] = [await newUser(), await newUser()];
  userId = user.id;
  const server = await prisma.server.create({
    data: { name: "s", owner_id: owner.id, channels: { create: { name: "c", position: 0 } } },
    include: { channels: true },
  });
  serverId = server.id;
  channelId = server.channels[0]?.id ?? "";
  await prisma.member.create({ data: { server_id: serverId, user_id: userId } });
  await prisma.automodConfig.create({ data: { server_id: serverId, enabled: true, spam_action: "kick" } });
});

/** Stores messages and describes them as events or requests do. */
async function store(
  contents: readonly string[],
  rules: AutomodStored["rules"],
  explicitId?: string,
): Promise<AutomodStored[]> {
  const stored: AutomodStored[] = [];
  for (const content of contents) {
    const { id } = await database.prisma.message.create({
      data: { id: explicitId, channel_id: channelId, server_id: serverId, author_id: userId, content },
      select: { id: true },
    });
    stored.push({
      judgement_id: randomUUID(),
      server_id: serverId,
      channel_id: channelId,
      user_id: userId,
      content,
      texts: [content],
      rules,
      words_version: 0,
      message_id: id,
      reserved: false,
      spam_max_messages: 3,
      spam_window_secs: 60,
    });
  }
  return stored;
}
const judgeOn = (index: number, message: AutomodStored | undefined) => {
  const instance = instances[index % instances.length];
  if (instance === undefined || message === undefined) throw new Error("There is nothing to judge with.");
  return instance(message, sentAtMs(message.message_id), "late");
};
const deletedContents = async () => {
  const rows = await database.prisma.message.findMany({
    where: { server_id: serverId, deleted: true },
    orderBy: { id: "asc" },
    select: { content: true },
  });
  return rows.map(({ content }) => content);
};

describe("a message that is judged", () => {
  test("again and again, by both processes at once, is deleted, logged and acted upon once", async () => {
    const messages = await store(["a", "b", "c", "d"], ["spam"]);
    const { lastSequence } = await storedRange(messaging);
    const verdicts = await Promise.all(Array.from({ length: 12 }, (_, index) => judgeOn(index, messages[3])));
    expect(verdicts).toEqual(Array(12).fill(true));
    expect(await judgeOn(0, messages[3])).toBe(true);
    expect(await deletedContents()).toEqual(["d"]);
    expect(await database.prisma.automodLog.count({ where: { server_id: serverId } })).toBe(1);
    const names: string[] = [];
    await readStored(messaging, { from: lastSequence + 1, to: lastSequence + 100 }, ({ address }) => {
      names.push(address.event);
    });
    expect(names).toEqual(["MESSAGE_DELETE", "MEMBER_KICK", "SERVER_LEFT"]);
  });

  test.each([
    ["in reverse", (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index)],
    ["in any order", (count: number) => Array.from({ length: count }, (_, index) => (index * 5) % count)],
  ])("%s, events of one author get the verdicts of their own order", async (_name, order) => {
    const contents = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const spam = await store(contents, ["spam"]);
    for (const index of order(contents.length)) await judgeOn(index, spam[index]);
    expect(await deletedContents()).toEqual(["d", "e", "f", "g", "h"]);
  });

  test("after its identical predecessor or before it, is the duplicate, and the predecessor is not", async () => {
    const [first, second] = await store(["same", "same"], ["duplicate"]);
    expect(await judgeOn(0, second)).toBe(true);
    expect(await judgeOn(1, first)).toBe(false);
    expect(await judgeOn(1, second)).toBe(true);
    expect(await deletedContents()).toEqual(["same"]);
    expect(await database.prisma.automodLog.count({ where: { server_id: serverId } })).toBe(1);
  });

  test("when its server is gone, is nobody's business", async () => {
    const [message] = await store(["bye"], ["duplicate", "spam"]);
    await database.prisma.server.delete({ where: { id: serverId } });
    expect(await judgeOn(0, message)).toBe(false);
  });
});

test("a message that is stored after the others, though its time is earlier, is the one too many", async () => {
  const [row] = await database.prisma.$queryRaw<{ id: string }[]>`SELECT uuidv7() AS id`;
  for (const [index, message] of (await store(["a", "b", "c"], ["spam"])).entries()) {
    expect(await judgeOn(index, message)).toBe(false);
  }
  const [late] = await store(["late"], ["spam"], row?.id);
  expect(await judgeOn(0, late)).toBe(true);
  expect(await judgeOn(1, late)).toBe(true);
});

test("of messages stored and judged at the same moment by both processes, exactly the allowed number stays", async () => {
  const verdicts = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const [message] = await store([`m${index}`], ["spam"]);
      return judgeOn(index, message);
    }),
  );
  expect(verdicts.filter((deleted) => !deleted)).toHaveLength(3);
  expect(await deletedContents()).toHaveLength(27);
});

test("without Redis the database alone decides, with the same verdicts", async () => {
  const messages = await store(["a", "b", "c", "d", "e", "e"], ["duplicate", "spam"]);
  await redisServer.stop();
  try {
    const verdicts = await Promise.all(messages.map((message, index) => judgeOn(index, message)));
    expect(verdicts).toEqual([false, false, false, true, true, true]);
  } finally {
    await redisServer.restart();
  }
});
