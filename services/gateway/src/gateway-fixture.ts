import { randomBytes, randomUUID } from "node:crypto";
import {
  type AccessTokens,
  createAccessTokens,
  createAccounts,
  createClientAddress,
  createReadClaim,
  watchNetworkBans,
} from "@parley/auth";
import { createEvent, type EventName, type EventPayload, type EventTarget, type Routing } from "@parley/contracts";
import { type ChannelOverride, connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
  publishLive,
  publishStored,
} from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { createPresence, type Presence } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import { createLogger, createMetrics, startHttpServer } from "@parley/service-runtime";
import { waitUntil } from "@parley/testing";
import { createVoice, createVoiceReconciliation, type Voice } from "@parley/voice";
import { type ClientOptions, WebSocket } from "ws";
import { createGateway, type GatewayLimits } from "./gateway.js";
import { createGatewayMetrics, type GatewayMetrics } from "./metrics.js";

const jwtSecret = "0123456789abcdef0123456789abcdef";

/** One gateway node on a free port, with a database and NATS of the test's own. */
export interface GatewayFixture {
  url: string;
  databaseUrl: string;
  natsUrl: string;
  redisUrl: string;
  gateway: ReturnType<typeof createGateway>;
  presence: Presence;
  voice: Voice;
  database: Database;
  messaging: Messaging;
  metrics: GatewayMetrics;
  accessTokens: AccessTokens;
  stop(): Promise<void>;
}

export async function startGateway(
  options: GatewayLimits & { databaseUrl: string; natsUrl: string; redisUrl: string },
): Promise<GatewayFixture> {
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  const database = await connectDatabase({
    url: options.databaseUrl,
    poolMax: 8,
    applicationName: "gateway test",
    logger,
  });
  const messaging = await connectMessaging({ url: options.natsUrl, name: "gateway test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  const metrics = createGatewayMetrics(createMetrics().registry);
  const accessTokens = createAccessTokens({ secret: jwtSecret });
  const readClaim = createReadClaim({ accessTokens, accounts: createAccounts({ database }) });
  const redis = await connectRedis({ url: options.redisUrl, name: "gateway test", logger });
  const outbox = createOutbox({ database, messaging, logger });
  const voice = createVoice({ redis, outbox });
  const presence = createPresence({ nodeId: "test", redis, database, messaging, voice, logger });
  const voiceReconciliation = createVoiceReconciliation({ database, redis, outbox });
  const networkBans = await watchNetworkBans({ database, logger });
  const clientAddress = createClientAddress([]);
  const dependencies = {
    networkBans,
    clientAddress,
    database,
    redis,
    messaging,
    presence,
    voice,
    voiceReconciliation,
    readClaim,
    metrics,
    logger,
  };
  const gateway = createGateway({ cursorSecrets: [jwtSecret], ...options, ...dependencies });
  await gateway.start();
  const http = await startHttpServer({
    handler: (request, response) => {
      if (!gateway.onRequest(request, response)) response.writeHead(404).end();
    },
    onUpgrade: gateway.onUpgrade,
    host: "127.0.0.1",
    port: 0,
    graceMs: 100,
  });
  return {
    url: http.url,
    databaseUrl: options.databaseUrl,
    natsUrl: options.natsUrl,
    redisUrl: options.redisUrl,
    gateway,
    presence,
    voice,
    database,
    messaging,
    metrics,
    accessTokens,
    async stop() {
      await gateway.drain(0);
      await http.close();
      await networkBans.close();
      await presence.close();
      await outbox.close();
      await messaging.close();
      await redis.close();
      await database.close();
    },
  };
}

/** A frame of the gateway. */
export interface ReceivedFrame {
  op: string;
  t: string | null;
  d: Record<string, unknown>;
  /** On a numbered connection (docs/protocol/continuing.md#19.1). */
  s?: string;
}

/** A client that keeps everything it receives. */
export interface TestClient {
  readonly frames: ReceivedFrame[];
  readonly socket: WebSocket;
  /** The close code, once closed. */
  readonly closed: Promise<number>;
  /** Resolves with the first frame of that event that fits. */
  receive(event: string, fits?: (d: Record<string, unknown>) => boolean): Promise<ReceivedFrame>;
  /** The events received so far but READY and PRESENCE_UPDATE, which come and go with every other connection. */
  events(): string[];
  send(message: unknown): void;
  /** Resolves when everything that was sent to this client before has arrived: a heartbeat's answer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The address for clients, and the issuer of their tokens. */
export type GatewayAddress = Pick<GatewayFixture, "url" | "accessTokens">;

/** Connects and waits for READY. */
export async function connectClient(fixture: GatewayFixture, userId: string): Promise<TestClient> {
  const client = openClient(fixture, `token=${fixture.accessTokens.issue({ userId })}`);
  await client.receive("READY");
  return client;
}

export function openClient(fixture: GatewayAddress, query: string, options: ClientOptions = {}): TestClient {
  const socket = new WebSocket(`${fixture.url.replace("http", "ws")}/ws?${query}`, options);
  const frames: ReceivedFrame[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data))));
  socket.on("error", () => {});
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const client: TestClient = {
    frames,
    socket,
    closed,
    receive: (event, fits = () => true) =>
      waitUntil(() => frames.find((frame) => frame.t === event && fits(frame.d)), { what: event }),
    events: () => frames.flatMap(({ t }) => (t === null || t === "READY" || t === "PRESENCE_UPDATE" ? [] : [t])),
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    async settled() {
      const before = frames.filter((frame) => frame.op === "HEARTBEAT_ACK").length;
      socket.send('{"op":"HEARTBEAT"}');
      await waitUntil(() => frames.filter((frame) => frame.op === "HEARTBEAT_ACK").length > before);
    },
    async close() {
      socket.close();
      await closed;
    },
  };
  return client;
}

let eventNumber = 0;

/** Publishes a durable event as the api does. */
export function publish<N extends EventName>(
  messaging: Messaging,
  name: N,
  target: EventTarget<N>,
  payload: EventPayload<N>,
  routing?: Routing,
) {
  eventNumber += 1;
  const event = createEvent(name, target, payload, routing);
  return publishStored(messaging, { ...event, id: `${process.pid}-${eventNumber}` }, 5_000);
}

/** Publishes an ephemeral event as the api does. */
export function publishEphemeral<N extends EventName>(
  messaging: Messaging,
  name: N,
  target: EventTarget<N>,
  payload: EventPayload<N>,
): void {
  publishLive(messaging, createEvent(name, target, payload));
}

/** A message as the event MESSAGE_CREATE carries it. */
export function messageOf(channelId: string, content: string): EventPayload<"MESSAGE_CREATE"> {
  return {
    id: randomUUID(),
    channel_id: channelId,
    author_id: null,
    content,
    reply_to: null,
    mention_user_ids: [],
    mention_everyone: false,
    thread_id: null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: new Date().toISOString(),
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
    server_id: channelId,
    author: null,
  };
}

/** Rows for the tests, each with the least it needs. */
export function createRows(database: Database) {
  const { prisma } = database;
  let number = 0;
  const name = () => `name_${process.pid}_${++number}`;
  const createRow = {
    async user(): Promise<string> {
      return (await prisma.user.create({ data: { username: name() } })).id;
    },
    /** A bot of this user; the id of its account. */
    async bot(created_by: string): Promise<string> {
      const user_id = await createRow.user();
      await prisma.bot.create({
        data: { name: name(), token_hash: randomBytes(32).toString("hex"), user_id, created_by },
      });
      return user_id;
    },
    async server(ownerId: string, memberIds: readonly string[] = []): Promise<string> {
      const server = await prisma.server.create({ data: { name: name(), owner_id: ownerId } });
      for (const userId of [ownerId, ...memberIds]) await createRow.member(server.id, userId);
      return server.id;
    },
    async member(server_id: string, user_id: string): Promise<void> {
      await prisma.member.create({ data: { server_id, user_id } });
    },
    async endMember(server_id: string, user_id: string): Promise<void> {
      await prisma.member.delete({ where: { server_id_user_id: { server_id, user_id } } });
    },
    async channel(server_id: string): Promise<string> {
      return (await prisma.channel.create({ data: { server_id, name: name(), position: 0 } })).id;
    },
    async role(server_id: string, permissions = 0, rights = 0): Promise<string> {
      return (await prisma.role.create({ data: { server_id, name: name(), permissions, rights, position: 1 } })).id;
    },
    async giveRole(server_id: string, user_id: string, role_id: string): Promise<void> {
      await prisma.memberRole.create({ data: { server_id, user_id, role_id } });
    },
    async override(
      channel_id: string,
      target: { role_id: string } | { user_id: string },
      bits: { allow?: number; deny?: number },
    ): Promise<ChannelOverride> {
      return prisma.channelOverride.create({ data: { channel_id, allow: 0, deny: 0, ...target, ...bits } });
    },
  };
  return createRow;
}
