import { eventsStream } from "@parley/contracts";
import { connectMessaging, defaultStreamSettings, ensureStreams, type Messaging, storedRange } from "@parley/messaging";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type NatsProxy, startNats, startNatsProxy, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  publish,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

let nats: Awaited<ReturnType<typeof startNats>>;
let proxy: NatsProxy;
/** Behind the proxy. */
let fixture: GatewayFixture;
/** The writers' own way to NATS. */
let writer: Messaging;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  nats = await startNats();
  const redis = await startRedis();
  proxy = await startNatsProxy(nats.url);
  fixture = await startGateway({ databaseUrl: database.url, natsUrl: proxy.url, redisUrl: redis.url });
  const logger = createLogger({ service: "test", level: "silent", nodeId: "test" });
  writer = await connectMessaging({ url: nats.url, name: "writer", logger });
  rows = createRows(fixture.database);
  stops.push(fixture.stop, writer.close, proxy.close, nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Two servers with one member each, and one user in both. */
async function createScene() {
  const userIds = [await rows.user(), await rows.user(), await rows.user()] as const;
  const [first, second, both] = userIds;
  const servers = [];
  for (const memberId of [first, second]) {
    const server_id = await rows.server(memberId, [both]);
    servers.push({ server_id, channel_id: await rows.channel(server_id) });
  }
  const clients: TestClient[] = [];
  for (const userId of userIds) clients.push(await connectClient(fixture, userId));
  return { servers, clients, both };
}

let number = 0;

/** Posts messages in turn to each server; resolves with the contents per server. */
async function post(servers: readonly { server_id: string; channel_id: string }[], count: number) {
  const contents = servers.map((): string[] => []);
  for (let index = 0; index < count; index++) {
    for (const [place, server] of servers.entries()) {
      const content = `${++number}`;
      contents[place]?.push(content);
      await publish(writer, "MESSAGE_CREATE", server, messageOf(server.channel_id, content));
    }
  }
  return contents;
}

const contentsOf = (client: TestClient, channelId?: string) =>
  client.frames.flatMap((frame) =>
    frame.t === "MESSAGE_CREATE" && (channelId === undefined || frame.d.channel_id === channelId)
      ? [frame.d.content]
      : [],
  );

/** Every client has exactly its servers' messages, in order, once. */
async function expectComplete(scene: Awaited<ReturnType<typeof createScene>>, posted: readonly string[][]) {
  const [first = [], second = []] = posted;
  const [one, two, three] = scene.clients;
  const [serverOne, serverTwo] = scene.servers;
  await waitUntil(
    () => scene.clients.every((client) => contentsOf(client).includes(client === one ? first.at(-1) : second.at(-1))),
    {
      what: "the last message",
    },
  );
  for (const client of scene.clients) await client.settled();
  expect(one && contentsOf(one)).toEqual(first);
  expect(two && contentsOf(two)).toEqual(second);
  expect(three && contentsOf(three, serverOne?.channel_id)).toEqual(first);
  expect(three && contentsOf(three, serverTwo?.channel_id)).toEqual(second);
}

const joined = (...parts: readonly string[][][]) => [0, 1].map((place) => parts.flatMap((part) => part[place] ?? []));

async function closeAll({ clients }: { clients: readonly TestClient[] }) {
  for (const client of clients) await client.close();
}

describe("a node that misses stored events", () => {
  test("a node that misses stored events delivers once and in order what was stored while the node was cut off from NATS, and what comes meanwhile", async () => {
    const scene = await createScene();
    const before = await post(scene.servers, 5);
    proxy.cut();
    const missed = await post(scene.servers, 100);
    proxy.restore();
    const meanwhile = await post(scene.servers, 100);
    await expectComplete(scene, joined(before, missed, meanwhile));
    expect(fixture.metrics.eventsRecovered).toBeGreaterThanOrEqual(200);
    await closeAll(scene);
  });

  test("a node that misses stored events survives interruptions that come while a gap is being filled", async () => {
    const scene = await createScene();
    const parts: string[][][] = [];
    for (let round = 0; round < 4; round++) {
      proxy.cut();
      parts.push(await post(scene.servers, 30));
      proxy.restore();
      parts.push(await post(scene.servers, 30));
    }
    await expectComplete(scene, joined(...parts));
    await closeAll(scene);
  });

  test("a node that misses stored events delivers everything once when NATS itself is killed and comes back", async () => {
    const scene = await createScene();
    const before = await post(scene.servers, 20);
    await nats.kill();
    await nats.restart();
    await waitUntil(() => writer.connected, { what: "the writer's connection" });
    const after = await post(scene.servers, 50);
    await expectComplete(scene, joined(before, after));
    for (const client of scene.clients) expect(client.socket.readyState).toBe(client.socket.OPEN);
    await closeAll(scene);
  });

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "keeps every socket when NATS ends with %s and comes back, also after a change of the stream's settings",
    async (signal) => {
      const scene = await createScene();
      // NATS 2.9 forgets when a stream was created at the restart after an update.
      await ensureStreams(writer, { ...defaultStreamSettings, EVENTS_MAX_AGE_MS: 10 * 60_000 });
      await ensureStreams(writer, defaultStreamSettings);
      const before = await post(scene.servers, 20);
      proxy.cut();
      const missed = await post(scene.servers, 20);
      await nats.kill(signal);
      await nats.restart();
      await waitUntil(() => writer.connected, { what: "the writer's connection" });
      await ensureStreams(writer, defaultStreamSettings);
      const meanwhile = await post(scene.servers, 20);
      proxy.restore();
      const after = await post(scene.servers, 20);
      await expectComplete(scene, joined(before, missed, meanwhile, after));
      for (const client of scene.clients) expect(client.socket.readyState).toBe(client.socket.OPEN);
      expect(fixture.metrics.resynchronisations).toBe(0);
      await closeAll(scene);
    },
  );

  test("a node that misses stored events notices events that got lost on the way, and delivers them before their successors", async () => {
    const scene = await createScene();
    const before = await post(scene.servers, 2);
    proxy.drop((subject) => subject.startsWith("live."));
    const unheard = await post(scene.servers, 3);
    const unheardDm = await sendDm(scene.both);
    await fixture.messaging.ping(10_000);
    proxy.drop(null);
    const after = await post(scene.servers, 2);
    const lastDm = await sendDm(scene.both);
    await expectComplete(scene, joined(before, unheard, after));
    const [, , both] = scene.clients;
    await both?.receive("DM_MESSAGE_CREATE", (d) => d.content === lastDm);
    const dms = both?.frames.flatMap((frame) => (frame.t === "DM_MESSAGE_CREATE" ? [frame.d.content] : []));
    expect(dms).toEqual([unheardDm, lastDm]);
    await closeAll(scene);
  });

  test("a node that misses stored events lets users connect during the outage, and gives them what is stored afterwards", async () => {
    const scene = await createScene();
    proxy.cut();
    await waitUntil(() => !fixture.messaging.connected);
    const newcomerId = await rows.user();
    const [server] = scene.servers;
    if (server === undefined) throw new Error("no server");
    await rows.member(server.server_id, newcomerId);
    const newcomer = await connectClient(fixture, newcomerId);
    const [missed = []] = await post([server], 10);
    proxy.restore();
    await waitUntil(() => contentsOf(newcomer).length >= 10);
    expect(contentsOf(newcomer)).toEqual(missed);
    await newcomer.close();
    await closeAll(scene);
  });

  test("a node that misses stored events hears of a join that happens while a new user's subscription is on its way", async () => {
    const [ownerId, userId] = [await rows.user(), await rows.user()];
    const server_id = await rows.server(ownerId);
    const channel_id = await rows.channel(server_id);
    proxy.hold(true);
    const connecting = connectClient(fixture, userId);
    await waitUntil(() => fixture.metrics.connections === 1, { what: "the connection to begin" });
    await rows.member(server_id, userId);
    await publish(writer, "SERVER_JOINED", { user_id: userId }, { server_id, user_id: userId });
    proxy.hold(false);
    const client = await connecting;
    await publish(writer, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "welcome"));
    await client.receive("MESSAGE_CREATE");
    await client.close();
  });

  test("a node that misses stored events keeps its place recent by heartbeats, so that little is read after a quiet time", async () => {
    const { lastSequence } = await storedRange(writer);
    await waitUntil(async () => (await storedRange(writer)).lastSequence > lastSequence, {
      what: "a heartbeat",
    });
  });

  test("a node that misses stored events closes everybody with 1001 when the stream no longer has what was missed", async () => {
    const scene = await createScene();
    proxy.cut();
    await post(scene.servers, 5);
    const manager = await writer.nats.jetstreamManager();
    await manager.streams.purge(eventsStream);
    proxy.restore();
    expect(await Promise.all(scene.clients.map((client) => client.closed))).toEqual([1001, 1001, 1001]);
    const again = await createScene();
    await expectComplete(again, await post(again.servers, 3));
    await closeAll(again);
  });

  test("a node that misses stored events closes everybody with 1001 when the stream was created anew, and serves those who come back", async () => {
    const scene = await createScene();
    proxy.cut();
    const manager = await writer.nats.jetstreamManager();
    await manager.streams.delete(eventsStream);
    await ensureStreams(writer, defaultStreamSettings);
    proxy.restore();
    expect(await Promise.all(scene.clients.map((client) => client.closed))).toEqual([1001, 1001, 1001]);
    const again = await createScene();
    await expectComplete(again, await post(again.servers, 3));
    await closeAll(again);
  });

  test("a node that misses stored events notices a stream that was created anew and has more events than the old one had", async () => {
    const scene = await createScene();
    await post(scene.servers, 3);
    proxy.cut();
    const { lastSequence } = await storedRange(writer);
    const manager = await writer.nats.jetstreamManager();
    await manager.streams.delete(eventsStream);
    await ensureStreams(writer, defaultStreamSettings);
    while ((await storedRange(writer)).lastSequence <= lastSequence + 10) await post(scene.servers, 10);
    proxy.restore();
    expect(await Promise.all(scene.clients.map((client) => client.closed))).toEqual([1001, 1001, 1001]);
    const again = await createScene();
    await expectComplete(again, await post(again.servers, 3));
    await closeAll(again);
  });
});

async function sendDm(userId: string): Promise<string> {
  const content = `direct ${++number}`;
  await publish(
    writer,
    "DM_MESSAGE_CREATE",
    { user_id: userId },
    {
      ...{ id: userId, channel_id: userId, author_id: null, content, edited_at: null, author: null },
      created_at: new Date().toISOString(),
    },
  );
  return content;
}
