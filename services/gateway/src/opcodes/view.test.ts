import { randomUUID } from "node:crypto";
import { createViews, type Views } from "@parley/presence";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClient, type TestClient } from "../gateway-fixture.js";
import { closeAll, type OpsStage, startOpsStage } from "./ops-fixture.js";

let stage: OpsStage;
let redis: RedisConnection;
/** The views of a process that is no gateway. */
let views: Views;
beforeAll(async () => {
  stage = await startOpsStage();
  const logger = { info: () => {}, warn: () => {} };
  redis = await connectRedis({ url: stage.first.redisUrl, name: "test", logger });
  views = createViews({ redis });
});
afterAll(async () => {
  await redis?.close();
  await stage.stop();
});

async function connect(userId: string, { node = stage.first, query = "v=2" } = {}): Promise<TestClient> {
  const client = openClient(node, `${query}&token=${node.accessTokens.issue({ userId })}`);
  await client.receive("READY");
  return client;
}
const acks = ({ frames }: TestClient) => frames.filter(({ t }) => t === "VIEW_ACK");
/** Sends the channels in view, and waits for the answer. */
async function view(client: TestClient, d: object) {
  const before = acks(client).length;
  client.send({ op: "VIEW", d });
  await waitUntil(() => acks(client).length > before, { what: "VIEW_ACK" });
  return acks(client).at(-1);
}
const ackOf = (...channel_ids: string[]) => ({ op: "DISPATCH", t: "VIEW_ACK", d: { channel_ids, passive: [] } });
const looksAt = async (userId: string, channelId: string) => (await views.lookedAt([{ userId, channelId }]))[0];

describe("VIEW", () => {
  test("names what is shown on each connection, on whichever node, until it is replaced or the connection ends", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const other = await stage.rows.channel(server_id);
    const [one, two] = [await connect(userId), await connect(userId, { node: stage.second, query: "v=2&s=" })];
    expect(await view(one, { channel_ids: [channel_id.toUpperCase(), channel_id] })).toEqual(ackOf(channel_id));
    expect(await view(two, { channel_ids: [other, channel_id] })).toEqual(ackOf(other, channel_id));
    expect([await looksAt(userId, channel_id), await looksAt(userId, other)]).toEqual([true, true]);
    expect(await view(two, { channel_ids: [] })).toEqual(ackOf());
    expect([await looksAt(userId, channel_id), await looksAt(userId, other)]).toEqual([true, false]);
    await one.close();
    await waitUntil(async () => !(await looksAt(userId, channel_id)));
    await closeAll(two, friend);
  });

  test("names what a connection begins with, without what may not be viewed, until VIEW says something else", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const [other, stranger] = [await stage.rows.channel(server_id), await stage.createPair()];
    const client = await connect(userId, { query: `v=2&view=${channel_id},${stranger.channel_id}` });
    await waitUntil(() => looksAt(userId, channel_id), { what: "what the connection began with" });
    expect(await looksAt(userId, stranger.channel_id)).toBe(false);
    await view(client, { channel_ids: [other] });
    expect([await looksAt(userId, channel_id), await looksAt(userId, other)]).toEqual([false, true]);
    await closeAll(client, friend, stranger.friend);
  });

  test("of a connection that is not active names what nobody looks at", async () => {
    const { userId, friend, channel_id } = await stage.createPair();
    const client = await connect(userId);
    await view(client, { channel_ids: [channel_id] });
    expect(await view(client, { channel_ids: [channel_id], active: false })).toEqual(ackOf(channel_id));
    expect(await looksAt(userId, channel_id)).toBe(false);
    await view(client, { channel_ids: [channel_id], active: true });
    expect(await looksAt(userId, channel_id)).toBe(true);
    await closeAll(client, friend);
  });

  test("ignores what may not be viewed: hidden channels, those of other servers, unknown ones", async () => {
    const { friendId, friend, server_id, channel_id } = await stage.createPair();
    const stranger = await stage.createPair();
    const [hidden, secret] = [await stage.rows.channel(server_id), await stage.rows.channel(server_id)];
    await stage.rows.override(hidden, { user_id: friendId }, { deny: 1 });
    const role = await stage.rows.role(server_id);
    await stage.rows.giveRole(server_id, friendId, role);
    await stage.rows.override(secret, { role_id: role }, { deny: 1 });
    const client = await connect(friendId);
    const named = [hidden, stranger.channel_id, channel_id, secret, randomUUID()];
    expect(await view(client, { channel_ids: named })).toEqual(ackOf(channel_id));
    expect(await looksAt(friendId, hidden)).toBe(false);
    await closeAll(client, friend, stranger.friend);
  });

  test("names direct messages and groups of the user", async () => {
    const { userId, friendId, friend } = await stage.createPair();
    const { prisma } = stage.first.database;
    const [user_low = "", user_high = ""] = [userId, friendId].sort();
    const pair = await prisma.dmChannel.create({ data: { user_low, user_high } });
    const groupOf = (user_id: string) =>
      prisma.dmChannel.create({ data: { group_members: { create: { user_id, position: 1 } } } });
    const [group, foreign] = [await groupOf(userId), await groupOf(friendId)];
    const client = await connect(userId);
    expect(await view(client, { channel_ids: [foreign.id, group.id, pair.id] })).toEqual(ackOf(group.id, pair.id));
    expect(await looksAt(userId, group.id)).toBe(true);
    await closeAll(client, friend);
  });

  test("with more than 20 channels or malformed is dropped, and what was shown before stays", async () => {
    const { userId, friend, channel_id } = await stage.createPair();
    const client = await connect(userId);
    await view(client, { channel_ids: [channel_id] });
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
    for (const d of [{ channel_ids: ids(21) }, { channel_ids: ["x"] }, { channel_ids: [], active: "no" }, {}, [], null])
      client.send({ op: "VIEW", d });
    await client.settled();
    expect(acks(client)).toHaveLength(1);
    expect(await looksAt(userId, channel_id)).toBe(true);
    expect(await view(client, { channel_ids: ids(20) })).toEqual(ackOf());
    await closeAll(client, friend);
  });

  test("is dropped on a connection without v=2", async () => {
    const { userId, friend, channel_id } = await stage.createPair();
    const client = await connect(userId, { query: "v=1" });
    client.send({ op: "VIEW", d: { channel_ids: [channel_id] } });
    await client.settled();
    expect(acks(client)).toEqual([]);
    expect(await looksAt(userId, channel_id)).toBe(false);
    await closeAll(client, friend);
  });

  test("is answered also where the events are filtered, and to bots", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const botId = await stage.rows.bot(userId);
    await stage.rows.member(server_id, botId);
    const token = stage.first.accessTokens.issue({ userId: botId, bot: true });
    const bot = openClient(stage.first, `v=2&events=MESSAGE_CREATE&token=${token}`);
    await bot.receive("READY");
    expect(await view(bot, { channel_ids: [channel_id] })).toEqual(ackOf(channel_id));
    expect(await looksAt(botId, channel_id)).toBe(true);
    await closeAll(bot, friend);
  });

  test("above the rate of a user the last one of each connection waits and counts", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const last = await stage.rows.channel(server_id);
    const clients = await Promise.all(Array.from({ length: 6 }, () => connect(userId)));
    const opsOfEach = 15;
    for (let op = 0; op < opsOfEach; op += 1)
      for (const client of clients) client.send({ op: "VIEW", d: { channel_ids: [channel_id] } });
    for (const client of clients) client.send({ op: "VIEW", d: { channel_ids: [last] } });
    const isLast = (client: TestClient) =>
      JSON.stringify(acks(client).at(-1)?.d.channel_ids) === JSON.stringify([last]);
    await waitUntil(() => clients.every(isLast), { what: "the last op of every connection" });
    expect(clients.flatMap(acks).length).toBeLessThan(clients.length * (opsOfEach + 1));
    expect([await looksAt(userId, channel_id), await looksAt(userId, last)]).toEqual([false, true]);
    await closeAll(...clients, friend);
  });
});
