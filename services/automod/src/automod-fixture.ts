import { randomUUID } from "node:crypto";
import type { AutomodCheck, AutomodStored } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { connectMessaging, defaultStreamSettings, ensureStreams, type Messaging } from "@parley/messaging";
import { createOutbox, type Outbox } from "@parley/outbox";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createMetrics } from "@parley/service-runtime";
import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { createJudging, type Judging } from "./judging.js";
import { createAutomodMetrics } from "./metrics.js";

const storingMaxMs = 30_000;
const logger = { info() {}, warn() {}, error() {} };

/** A guarded server with one member who writes. */
export interface Scene {
  serverId: string;
  channelId: string;
  userId: string;
}

/** Two processes' worth of auto-moderation on real parts. */
export interface AutomodFixture {
  database: Database;
  messaging: Messaging;
  outbox: Outbox;
  redisServer: Awaited<ReturnType<typeof startRedis>>;
  /** One of the two, in turn. */
  instance(number: number): Judging;
  createScene(): Promise<Scene>;
  stop(): Promise<void>;
}

export async function startAutomodFixture(): Promise<AutomodFixture> {
  const [testDatabase, redisServer, nats] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 10, applicationName: "test", logger });
  const messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  const outbox = createOutbox({ database, messaging, logger });
  const connections: RedisConnection[] = [];
  const startInstance = async () => {
    const redis = await connectRedis({ url: redisServer.url, name: "test", logger });
    connections.push(redis);
    return createJudging({
      database,
      redis,
      outbox,
      metrics: createAutomodMetrics(createMetrics()),
      logger,
      // Storing is slower than in production while other tests run, and the bounds assume how long it takes.
      waits: { textMs: storingMaxMs, approvedMs: storingMaxMs },
    });
  };
  const [first, second] = [await startInstance(), await startInstance()];
  return {
    database,
    messaging,
    outbox,
    redisServer,
    instance: (number) => (number % 2 === 0 ? first : second),
    createScene: () => createScene(database),
    async stop() {
      await outbox.close();
      await Promise.all([database.close(), messaging.close(), ...connections.map((redis) => redis.close())]);
      await Promise.all([testDatabase.drop(), redisServer.stop(), nats.stop()]);
    },
  };
}

async function createScene({ prisma }: Database): Promise<Scene> {
  const newUser = () => prisma.user.create({ data: { username: `u_${randomUUID().slice(0, 8)}` } });
  const [owner, user] = [await newUser(), await newUser()];
  const server = await prisma.server.create({
    data: { name: "s", owner_id: owner.id, channels: { create: { name: "c", position: 0 } } },
    include: { channels: true },
  });
  await prisma.member.create({ data: { server_id: server.id, user_id: user.id } });
  await prisma.automodConfig.create({ data: { server_id: server.id, enabled: true, spam_action: "kick" } });
  return { serverId: server.id, channelId: server.channels[0]?.id ?? "", userId: user.id };
}

const spamLimits = { spam_max_messages: 3, spam_window_secs: 60 };

/** A message of the scene's member, as the api describes it; its spam limit is 3. */
export function describeSubmission(scene: Scene, content: string) {
  const ids = { server_id: scene.serverId, channel_id: scene.channelId, user_id: scene.userId };
  return { ...ids, judgement_id: randomUUID(), content, texts: [content], words_version: 0 };
}

/** The check of a message that duplicates and spam are not allowed of. */
export function describeCheck(scene: Scene, content: string, known: AutomodCheck["evidence"], ageMs = 0): AutomodCheck {
  const evidence = { evidence: known, evidence_age_ms: ageMs, answer_within_ms: storingMaxMs };
  return { ...describeSubmission(scene, content), ...evidence, ...spamLimits, rules: ["duplicate", "spam"] };
}

/** Stores a message and describes it as events or requests do. */
export async function storeMessage(
  { database }: AutomodFixture,
  scene: Scene,
  message: { content: string; rules: AutomodStored["rules"]; id?: string | undefined; ticket?: string | null },
): Promise<AutomodStored> {
  const { content, rules, ticket = null } = message;
  const { serverId: server_id, channelId: channel_id, userId: author_id } = scene;
  const { id } = await database.prisma.message.create({
    data: { id: message.id, channel_id, server_id, author_id, content },
    select: { id: true },
  });
  return { ...describeSubmission(scene, content), ...spamLimits, rules, message_id: id, ticket };
}
