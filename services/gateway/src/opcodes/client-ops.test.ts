import { generateToken, hashToken } from "@parley/auth";
import { permissionBits } from "@parley/contracts";
import { createTestDatabase, startNats, startRedis, waitUntil } from "@parley/testing";
import { createVoiceRights } from "@parley/voice";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  openClient,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

let fixture: GatewayFixture;
let second: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  const options = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  fixture = await startGateway(options);
  second = await startGateway(options);
  rows = createRows(fixture.database);
  stops.push(second.stop, fixture.stop, nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

async function closeAll(...clients: TestClient[]) {
  for (const client of clients) await client.close();
}

const settleAll = (...clients: TestClient[]) => Promise.all(clients.map((client) => client.settled()));

/** Two members of a server, and the client of the second on another node. */
async function createPair() {
  const [userId, friendId] = [await rows.user(), await rows.user()];
  const server_id = await rows.server(userId, [friendId]);
  const channel_id = await rows.channel(server_id);
  const friend = await connectClient(second, friendId);
  return { userId, friendId, friend, server_id, channel_id };
}

const presences = (client: TestClient, userId: string) =>
  client.frames.flatMap(({ t, d }) => (t === "PRESENCE_UPDATE" && d.user_id === userId ? [d] : []));

const statusOf = async (userId: string) =>
  (await fixture.database.prisma.user.findUniqueOrThrow({ where: { id: userId } })).status;

describe("presence", () => {
  it("begins with the first connection, ends with the last, and shows in READY", async () => {
    const { userId, friend } = await createPair();
    const first = await connectClient(fixture, userId);
    expect(first.frames[0]?.d).toMatchObject({ user: { status: "online" } });
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "online");
    const other = await connectClient(second, userId);
    await first.close();
    await other.settled();
    expect(await statusOf(userId)).toBe("online");
    await other.close();
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    expect(await statusOf(userId)).toBe("offline");
    expect(presences(friend, userId).map((d) => d.status)).toEqual(["online", "offline"]);
    expect(first.events()).toEqual([]);
    await friend.close();
  });

  it("follows the op: saved, told to co-members, texts kept, cleared or refused", async () => {
    const { userId, friend } = await createPair();
    const client = await connectClient(fixture, userId);
    client.send({ op: "PRESENCE_UPDATE", d: { status: "dnd", custom_status: "busy", activity: "chess" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "away" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "away", custom_status: null, activity: "" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "sleeping" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "online", activity: "x".repeat(129) } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "online", custom_status: 7 } });
    client.send({ op: "PRESENCE_UPDATE", d: { activity: "no status" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "offline" } });
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    const seen = { user_id: userId, custom_status: null, activity: null };
    expect(presences(friend, userId)).toEqual([
      { ...seen, status: "online" },
      { ...seen, status: "dnd", custom_status: "busy", activity: "chess" },
      { ...seen, status: "away", custom_status: "busy", activity: "chess" },
      { ...seen, status: "away" },
      { ...seen, status: "offline" },
    ]);
    expect(await statusOf(userId)).toBe("offline");
    const invisible = await connectClient(second, userId);
    expect(invisible.frames[0]?.d).toMatchObject({ user: { status: "offline" } });
    await closeAll(client, invisible, friend);
  });

  it("saves what many connections of one user send as fewer changes, and at last exactly what came last", async () => {
    const { userId, friend } = await createPair();
    const nodes = Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? fixture : second));
    const clients = await Promise.all(nodes.map((node) => connectClient(node, userId)));
    const sendAll = (d: object) => {
      for (const client of clients) {
        for (let count = 0; count < 15; count += 1) client.send({ op: "PRESENCE_UPDATE", d });
      }
    };
    sendAll({ status: "away", activity: "chess" });
    await Promise.all(clients.map((client) => client.settled()));
    // The last one to one node, and when that is seen, the last one of all to the other.
    for (const [client, custom_status] of [
      [clients[1], "first node"],
      [clients[0], "last"],
    ] as const) {
      client?.send({ op: "PRESENCE_UPDATE", d: { status: "dnd", custom_status } });
      await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.custom_status === custom_status);
    }
    expect(presences(friend, userId).at(-1)).toMatchObject({ status: "dnd", activity: "chess" });
    expect(presences(friend, userId).length).toBeLessThan(16 * 15);
    expect(await statusOf(userId)).toBe("dnd");
    await closeAll(...clients);
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    await friend.settled();
    expect(presences(friend, userId).at(-1)).toMatchObject({ status: "offline" });
    await friend.close();
  });

  it("ends voice before it says offline", async () => {
    const { userId, friend, server_id, channel_id } = await createPair();
    const client = await connectClient(fixture, userId);
    await fixture.voice.join({ userId, username: "user", serverId: server_id, channelId: channel_id });
    await friend.receive("VOICE_STATE_UPDATE", (d) => d.channel_id === channel_id);
    await client.close();
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    const order = friend.frames.flatMap(({ t, d }) => (d?.user_id === userId ? [[t, d.status ?? d.channel_id]] : []));
    expect(order).toEqual([
      ["PRESENCE_UPDATE", "online"],
      ["VOICE_STATE_UPDATE", channel_id],
      ["VOICE_STATE_UPDATE", null],
      ["PRESENCE_UPDATE", "offline"],
    ]);
    await friend.close();
  });

  it("closes the oldest of more than 50 connections of a user, over all nodes, with 1000", async () => {
    const userId = await rows.user();
    const clients: TestClient[] = [];
    for (let count = 0; count < 52; count++)
      clients.push(await connectClient(count % 2 === 0 ? fixture : second, userId));
    const [oldest, next, third] = clients;
    expect(await oldest?.closed).toBe(1000);
    expect(await next?.closed).toBe(1000);
    await third?.settled();
    await closeAll(...clients.slice(2));
    await waitUntil(async () => (await statusOf(userId)) === "offline");
  });

  it("is applied to everybody when a node stops", async () => {
    const stopping = await startGateway({ ...fixture });
    const { userId, friend } = await createPair();
    const client = await connectClient(stopping, userId);
    await stopping.stop();
    expect(await client.closed).toBe(1001);
    expect(await statusOf(userId)).toBe("offline");
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    await friend.close();
  });
});

describe("typing", () => {
  const typingIn = (channel_id: string) => ({ op: "TYPING_START", d: { channel_id } });

  it("is told to everybody who may view the channel, the typist included, on every node", async () => {
    const { userId, friend, channel_id } = await createPair();
    const client = await connectClient(fixture, userId);
    client.send({ op: "TYPING_START", d: { channel_id: channel_id.toUpperCase() } });
    const { username } = await fixture.database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
    for (const receiver of [client, friend]) {
      const { d } = await receiver.receive("TYPING_START");
      expect(d).toEqual({
        user_id: userId,
        username,
        channel_id,
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      });
    }
    await closeAll(client, friend);
  });

  it("is dropped for strangers and for members who may not send there", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await createPair();
    const owner = await connectClient(fixture, userId);
    const stranger = await connectClient(fixture, await rows.user());
    await rows.override(channel_id, { user_id: friendId }, { deny: 2 });
    stranger.send(typingIn(channel_id));
    friend.send(typingIn(channel_id));
    friend.send(typingIn(server_id));
    await settleAll(stranger, friend);
    owner.send(typingIn(channel_id));
    await friend.receive("TYPING_START");
    expect(friend.events()).toEqual(["TYPING_START"]);
    expect((await friend.receive("TYPING_START")).d.user_id).toBe(userId);
    await closeAll(owner, stranger, friend);
  });

  it("is delivered to both participants of direct messages only", async () => {
    const { userId, friendId, friend } = await createPair();
    const [client, stranger] = [await connectClient(fixture, userId), await connectClient(fixture, await rows.user())];
    const [user_low = "", user_high = ""] = [userId, friendId].sort();
    const { id } = await fixture.database.prisma.dmChannel.create({ data: { user_low, user_high } });
    stranger.send(typingIn(id));
    await stranger.settled();
    client.send(typingIn(id));
    for (const receiver of [client, friend]) {
      expect((await receiver.receive("TYPING_START")).d).toMatchObject({ user_id: userId, channel_id: id });
    }
    await stranger.settled();
    expect([client, friend, stranger].map((receiver) => receiver.events().length)).toEqual([1, 1, 0]);
    await closeAll(client, stranger, friend);
  });
});

describe("the rate of typing", () => {
  const typings = (client: TestClient) => client.events().filter((name) => name === "TYPING_START").length;

  it("is one per channel in three seconds over all connections of a user on all nodes", async () => {
    const { userId, friend, server_id, channel_id } = await createPair();
    const other_id = await rows.channel(server_id);
    const clients = [await connectClient(fixture, userId), await connectClient(second, userId)];
    for (let round = 0; round < 5; round++) {
      for (const client of clients) client.send({ op: "TYPING_START", d: { channel_id } });
    }
    await settleAll(...clients);
    clients[0]?.send({ op: "TYPING_START", d: { channel_id: other_id } });
    await friend.receive("TYPING_START", (d) => d.channel_id === other_id);
    expect(typings(friend)).toBe(2);
    await waitUntil(
      async () => {
        clients[1]?.send({ op: "TYPING_START", d: { channel_id } });
        return typings(friend) === 3;
      },
      { what: "the next one", timeoutMs: 10_000 },
    );
    const times = friend.frames.flatMap(({ t, d }) =>
      t === "TYPING_START" && d.channel_id === channel_id ? [Date.parse(String(d.timestamp))] : [],
    );
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_900);
    await closeAll(...clients, friend);
  });

  it("is at most twenty a second in all channels", async () => {
    const { userId, friend, server_id } = await createPair();
    const channels: string[] = [];
    for (let count = 0; count < 60; count++) channels.push(await rows.channel(server_id));
    const clients: TestClient[] = [];
    for (let count = 0; count < 4; count++) clients.push(await connectClient(count % 2 ? fixture : second, userId));
    const startedAt = performance.now();
    for (const [index, channel_id] of channels.entries()) {
      clients[index % 4]?.send({ op: "TYPING_START", d: { channel_id } });
    }
    await settleAll(...clients, friend);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(typings(friend)).toBeGreaterThanOrEqual(19);
    expect(typings(friend)).toBeLessThanOrEqual(20 * (1 + seconds));
    await closeAll(...clients, friend);
  });
});

describe("voice signal", () => {
  it("reaches every connection of somebody in the same voice channel, unchanged", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await createPair();
    const client = await connectClient(fixture, userId);
    const friendAgain = await connectClient(fixture, friendId);
    for (const id of [userId, friendId]) {
      await fixture.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    const offer = { to_user_id: friendId, type: "offer", sdp: "v=0\r\n", stream_type: "screen" };
    client.send({ op: "VOICE_SIGNAL", d: offer });
    for (const receiver of [friend, friendAgain]) {
      expect((await receiver.receive("VOICE_SIGNAL")).d).toEqual({
        from_user_id: userId,
        type: "offer",
        sdp: "v=0\r\n",
        candidate: null,
        stream_type: "screen",
      });
    }
    await client.settled();
    expect(client.events()).not.toContain("VOICE_SIGNAL");
    await closeAll(client, friend, friendAgain);
  });

  it("is dropped beyond the rate of a user over all nodes", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await createPair();
    for (const id of [userId, friendId]) {
      await fixture.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    const nodes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? fixture : second));
    const clients = await Promise.all(nodes.map((node) => connectClient(node, userId)));
    for (const client of clients) {
      for (let count = 0; count < 18; count += 1) {
        client.send({ op: "VOICE_SIGNAL", d: { to_user_id: friendId, type: "offer" } });
      }
    }
    await settleAll(...clients);
    // The bucket is not empty for long.
    await waitUntil(() => {
      clients[0]?.send({ op: "VOICE_SIGNAL", d: { to_user_id: friendId, type: "answer" } });
      return friend.frames.some(({ t, d }) => t === "VOICE_SIGNAL" && d.type === "answer");
    });
    const offers = friend.frames.filter(({ t, d }) => t === "VOICE_SIGNAL" && d.type === "offer");
    expect(offers.length).toBeGreaterThanOrEqual(100);
    expect(offers.length).toBeLessThan(40 * 18);
    await closeAll(...clients, friend);
  });

  it("is dropped unless both are in the same voice channel and differ", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await createPair();
    const client = await connectClient(fixture, userId);
    const signal = (to_user_id: string, type = "answer") =>
      client.send({ op: "VOICE_SIGNAL", d: { to_user_id, type } });
    signal(friendId);
    const elsewhere = await rows.channel(server_id);
    await fixture.voice.join({ userId, username: "x", serverId: server_id, channelId: channel_id });
    await fixture.voice.join({ userId: friendId, username: "x", serverId: server_id, channelId: elsewhere });
    signal(friendId);
    signal(userId);
    await client.settled();
    await fixture.voice.join({ userId: friendId, username: "x", serverId: server_id, channelId: channel_id });
    signal(friendId, "hello");
    signal(friendId, "candidate");
    await friend.receive("VOICE_SIGNAL");
    await settleAll(client, friend);
    const signals = [client, friend].map((receiver) => receiver.frames.filter((frame) => frame.t === "VOICE_SIGNAL"));
    expect(signals.map((frames) => frames.map((frame) => frame.d.type))).toEqual([[], ["candidate"]]);
    await closeAll(client, friend);
  });
});

describe("voice of those who lost their rights", () => {
  it("is not relayed, in neither direction, and ended by the gateways' checks", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await createPair();
    const thirdId = await rows.user();
    await rows.member(server_id, thirdId);
    const [owner, third] = [await connectClient(fixture, userId), await connectClient(second, thirdId)];
    for (const id of [userId, friendId, thirdId]) {
      await fixture.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    // As when the process that took the right died before it ended the voice state.
    await rows.override(channel_id, { user_id: friendId }, { deny: permissionBits.VIEW_CHANNEL });
    const signal = (to_user_id: string) => ({ op: "VOICE_SIGNAL", d: { to_user_id, type: "offer" } });
    friend.send(signal(userId));
    owner.send(signal(friendId));
    await settleAll(friend, owner);
    owner.send(signal(thirdId));
    await third.receive("VOICE_SIGNAL");
    third.send(signal(userId));
    await owner.receive("VOICE_SIGNAL");
    expect(
      [owner, friend].map((receiver) => receiver.events().filter((name) => name === "VOICE_SIGNAL").length),
    ).toEqual([1, 0]);
    const checks = [fixture, second].map(({ database, voice }) => createVoiceRights({ database, voice }));
    await Promise.all(checks.map((rights) => rights.enforceAll({ afterMs: 0 })));
    expect((await fixture.voice.listChannel(channel_id)).map(({ user_id }) => user_id)).toEqual([userId, thirdId]);
    for (const client of [owner, third]) {
      await client.receive("VOICE_STATE_UPDATE", (d) => d.user_id === friendId && d.channel_id === null);
    }
    await closeAll(owner, third, friend);
  });
});

describe("a bot's connection", () => {
  it("counts as presence and receives, but only its heartbeats are heard", async () => {
    const { userId, friend, server_id, channel_id } = await createPair();
    const botToken = generateToken();
    const botId = await rows.user();
    await fixture.database.prisma.bot.create({
      data: { user_id: botId, name: "bot", token_hash: hashToken(botToken), created_by: userId },
    });
    await rows.member(server_id, botId);
    const bot = openClient(fixture, `bot_token=${botToken}`);
    await bot.receive("READY");
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === botId && d.status === "online");
    bot.send({ op: "TYPING_START", d: { channel_id } });
    bot.send({ op: "PRESENCE_UPDATE", d: { status: "dnd" } });
    await bot.settled();
    expect(await statusOf(botId)).toBe("online");
    friend.send({ op: "TYPING_START", d: { channel_id } });
    await bot.receive("TYPING_START");
    expect(bot.events()).toEqual(["TYPING_START"]);
    await closeAll(bot, friend);
  });
});
