import { randomUUID } from "node:crypto";
import { events, subjects } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { connectDatabase } from "@parley/database/prisma";
import { connectMessaging, defaultStreamSettings, ensureStreams, subscribeLive } from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { createGate, createTestDatabase, startNats, startRedis } from "@parley/testing";
import { createVoice } from "@parley/voice";
import { z } from "zod";
import type { PresenceOptions } from "./options.js";
import { assembleGatewayPresence } from "./presence.js";

const logger = { info: () => {}, warn: () => {} };
const Frame = z.object({ d: events.PRESENCE_UPDATE.payload });
const truthStatement = defineStatement({
  name: "test_presence_truth",
  text: "SELECT status, connected FROM users WHERE id = $1",
  row: z.object({ status: z.string(), connected: z.boolean() }),
});

const usersStatement = defineStatement({
  name: "test_presence_users",
  text: `WITH u AS (
      INSERT INTO users (username) SELECT 'user_' || $1 || '_' || n FROM generate_series(1, $2::integer) AS n RETURNING id
    )
    INSERT INTO members (server_id, user_id) SELECT $3, id FROM u RETURNING user_id`,
  row: z.object({ user_id: z.string() }),
});

/** Servers of one owner, their only member so far. */
const serversStatement = defineStatement({
  name: "test_presence_servers",
  text: `WITH s AS (
      INSERT INTO servers (name, owner_id) SELECT 's', $1 FROM generate_series(1, $2::integer) RETURNING id
    )
    INSERT INTO members (server_id, user_id) SELECT id, $1 FROM s RETURNING server_id`,
  row: z.object({ server_id: z.string() }),
});

export type PresenceWorld = Awaited<ReturnType<typeof startPresenceWorld>>;
/** A gateway process as far as presence goes, with nothing that runs by itself. */
export interface GatewayProcess extends ReturnType<typeof assembleGatewayPresence> {
  /** Nothing reaches PostgreSQL any more. */
  cutOffDatabase(): void;
  /** Nothing reaches PostgreSQL, or no answer comes back, until the returned function is called. */
  holdDatabase(options?: { answers: boolean }): () => void;
}

/** Real servers, one community server, and the events that its members receive about each other. */
export async function startPresenceWorld() {
  const [testDatabase, redisServer, natsServer] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 6, applicationName: "test", logger });
  const messaging = await connectMessaging({ url: natsServer.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  const outbox = createOutbox({ database, messaging, logger });
  const connect = () => connectRedis({ url: redisServer.url, name: "test", logger });
  const [redis, otherRedis] = await Promise.all([connect(), connect()]);
  const options = (own = redis): PresenceOptions => ({
    redis: own,
    database,
    messaging,
    voice: createVoice({ redis: own, outbox }),
    logger,
  });

  const owner = await database.prisma.user.create({ data: { username: "owner" } });
  const server = await database.prisma.server.create({ data: { name: "s", owner_id: owner.id } });
  const channel = await database.prisma.channel.create({
    data: { name: "c", type: "voice", server_id: server.id, position: 0 },
  });

  /** Received statuses of each user, in order. */
  const heard = new Map<string, string[]>();
  const closed: string[] = [];
  /** All received events of presence and voice, in order. */
  const order: string[] = [];
  subscribeLive(messaging, subjects.allLive, ({ address, body }) => {
    const payload: unknown = JSON.parse(new TextDecoder().decode(body));
    if (address.event === "SESSION_CLOSE") closed.push(events.SESSION_CLOSE.payload.parse(payload).connection_id ?? "");
    if (address.event !== "PRESENCE_UPDATE") return void order.push(address.event);
    const { user_id, status } = Frame.parse(payload).d;
    heard.set(user_id, [...(heard.get(user_id) ?? []), status]);
    order.push(`${address.event} ${status}`);
  });

  let users = 0;
  return {
    database,
    redis,
    otherRedis,
    redisServer,
    natsServer,
    messaging,
    outbox,
    options,
    logger,
    voice: createVoice({ redis, outbox }),
    closed,
    order,
    heardOf: (userId: string): readonly string[] => heard.get(userId) ?? [],
    /** Resolves when everything that is published so far has been received. */
    hearAll: () => messaging.ping(1000),

    async createUsers(count: number): Promise<string[]> {
      users += 1;
      const rows = await database.query(usersStatement, [String(users), count, server.id]);
      return rows.map(({ user_id }) => user_id);
    },
    async createUser(): Promise<string> {
      const [user] = await this.createUsers(1);
      if (user === undefined) throw new Error("no user came back");
      return user;
    },
    async joinNewServers(userId: string, count: number): Promise<void> {
      await database.query(serversStatement, [userId, count]);
    },
    async truthOf(userId: string) {
      const [row] = await database.query(truthStatement, [userId]);
      if (row === undefined) throw new Error("the user is gone");
      return row;
    },
    joinVoice: (userId: string) =>
      createVoice({ redis, outbox }).join({ userId, username: "u", serverId: server.id, channelId: channel.id }),

    startGateway({ onOtherRedis = false } = {}): GatewayProcess {
      let isCut = false;
      let held = Promise.resolve();
      let heldAnswers = Promise.resolve();
      const gateway = assembleGatewayPresence({
        ...options(onOtherRedis ? otherRedis : redis),
        database: {
          query: async (statement, values) => {
            await held;
            if (isCut) throw new Error("cut off");
            const rows = await database.query(statement, values);
            await heldAnswers;
            return rows;
          },
        },
        nodeId: randomUUID(),
      });
      return {
        ...gateway,
        cutOffDatabase: () => {
          isCut = true;
        },
        holdDatabase: ({ answers } = { answers: false }) => {
          const hold = createGate();
          if (answers) heldAnswers = hold.opened;
          else held = hold.opened;
          return hold.open;
        },
      };
    },
    /** Lets time pass as far as the processes' leases go: these expire, and the others have been held for long. */
    async expire(gateways: readonly GatewayProcess[]) {
      for (const lease of await redis.client.zrange("presence:leases", "0", "-1")) {
        await redis.client.hset("presence:steady", lease, 1);
      }
      for (const { node } of gateways) await redis.client.zadd("presence:leases", "XX", 1, node.lease);
    },
    /** Lets all graces end. */
    async passResumeGrace() {
      for (const lease of await redis.client.zrange("presence:leases", "0", "-1")) {
        await redis.client.hset("presence:steady", lease, 1);
      }
      for (const user of await redis.client.zrange("presence:kept", "0", "-1")) {
        await redis.client.zadd("presence:kept", 1, user);
      }
    },
    /** Lets the grace of transitions pass, after which every process may save them. */
    async passGrace() {
      for (const user of await redis.client.zrange("presence:unsaved", "0", "-1")) {
        await redis.client.zadd("presence:unsaved", 1, user);
      }
    },
    async stop() {
      await outbox.close();
      await Promise.all([messaging.close(), database.close(), redis.close(), otherRedis.close()]);
      await Promise.all([redisServer.stop(), natsServer.stop(), testDatabase.drop()]);
    },
  };
}
