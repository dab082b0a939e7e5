import type { Channel, Server } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServer,
  type GatewayClient,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBot, createConnections, namesOf, openDirectChannel, type TestBot } from "../stages/connection-stage.js";

interface Place {
  readonly server: Server;
  readonly channel: Channel;
}

let stack: SharedStack;
let sql: pg.Client;
let client: RestClient;
let owner: UserClient;
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  client = createClient(stack.edgeUrl);
  owner = await client.register();
  connections = createConnections(stack);
});
afterAll(async () => {
  connections?.closeAll();
  await sql?.end();
});

/** By PostgreSQL's CRC-32, which is the ISO-HDLC one. */
async function shardOf(serverId: string, count: number): Promise<number> {
  const { rows } = await sql.query("SELECT (crc32(convert_to($1, 'UTF8')) % $2)::int AS shard", [serverId, count]);
  return rows[0].shard;
}

/** A new public server in each of two shards. */
async function createPlaces(): Promise<[Place, Place]> {
  const places: [Place?, Place?] = [];
  while (places[0] === undefined || places[1] === undefined) {
    const server = await createServer(owner, { is_public: true });
    places[await shardOf(server.id, 2)] = { server, channel: await createChannel(owner, server.id) };
  }
  return [places[0], places[1]];
}

async function joinAll(bot: TestBot, places: readonly Place[]): Promise<void> {
  for (const { server } of places) await joinServer(client.withAuthorization(`Bot ${bot.token}`), server.id);
}

const openShards = (token: string, gateways: readonly [0 | 1, 0 | 1] = [0, 1]) =>
  Promise.all([connections.open(token, gateways[0], "shard=0/2"), connections.open(token, gateways[1], "shard=1/2")]);

const contentsOf = (connection: GatewayClient) =>
  connection.events.flatMap(({ name, payload }) =>
    name === "MESSAGE_CREATE" && typeof payload === "object" && payload !== null && "content" in payload
      ? [payload.content]
      : [],
  );

describe("the parameter shard", () => {
  test("the parameter shard divides READY and the events of servers between the shards, on whichever gateway each is", async () => {
    const [bot, places] = [await createBot(owner), await createPlaces()];
    await joinAll(bot, places);
    await postMessage(owner, places[0].channel.id, "unread in 0");
    await postMessage(owner, places[1].channel.id, "unread in 1");
    const both = [...(await openShards(bot.accessToken, [0, 1])), ...(await openShards(bot.accessToken, [1, 0]))];
    for (const [index, connection] of both.entries()) {
      const { server, channel } = places[index % 2] ?? places[0];
      const ready = await connection.ready;
      expect(ready.servers.map(({ id }) => id)).toEqual([server.id]);
      expect(Object.keys(ready.server_roles)).toEqual([server.id]);
      expect(ready.unread_counts).toEqual([{ channel_id: channel.id, unread_count: 1 }]);
    }
    await postMessage(owner, places[0].channel.id, "to 0");
    await postMessage(owner, places[1].channel.id, "to 1");
    for (const [index, connection] of both.entries()) {
      await connection.waitFor("MESSAGE_CREATE");
      await connection.heartbeat();
      expect(contentsOf(connection)).toEqual([`to ${index % 2}`]);
    }
  });

  test("a server joined later belongs to its shard at once; a poll's events are divided as well", async () => {
    const [bot, places] = [await createBot(owner), await createPlaces()];
    const shards = await openShards(bot.accessToken, [0, 0]);
    await joinAll(bot, places);
    for (const { channel } of places) {
      const poll = { question: "Where?", options: ["here", "there"] };
      expect((await owner.post(`/channels/${channel.id}/polls`, poll)).status).toBe(201);
    }
    for (const [index, connection] of shards.entries()) {
      const { channel_id } = await connection.waitFor("MESSAGE_CREATE");
      expect(channel_id).toBe(places[index]?.channel.id);
      await connection.heartbeat();
      expect(namesOf(connection)).toEqual(["MESSAGE_CREATE"]);
    }
  });

  test("direct messages, with their channels and counts in READY, go to shard 0", async () => {
    const [user, friend] = [await client.register(), await client.register()];
    const channelId = await openDirectChannel(friend, user);
    await friend.post(`/dm-channels/${channelId}/messages`, { content: "unread" });
    const [zero, one] = await openShards(user.accessToken);
    const [whole] = await Promise.all([connections.open(user.accessToken, 1, "")]);
    for (const connection of [zero, whole]) {
      const { dm_channels, unread_counts } = await connection.ready;
      expect(dm_channels.map(({ id }) => id)).toEqual([channelId]);
      expect(unread_counts).toEqual([{ channel_id: channelId, unread_count: 1 }]);
    }
    expect(await one.ready).toMatchObject({ dm_channels: [], unread_counts: [] });
    await friend.post(`/dm-channels/${channelId}/messages`, { content: "hello" });
    await Promise.all([zero, whole].map((connection) => connection.waitFor("DM_MESSAGE_CREATE")));
    await one.expectNone("DM_MESSAGE_CREATE");
  });

  test("presence goes to every shard with a common server, and to no other", async () => {
    const [bot, places] = [await createBot(owner), await createPlaces()];
    await joinAll(bot, places);
    const [both, only] = [await client.register(), await client.register()];
    for (const { server } of places) await joinServer(both, server.id);
    await joinServer(only, places[1].server.id);
    const [zero, one] = await openShards(bot.accessToken);
    await only.patch("/users/@me", { status: "dnd" });
    await both.patch("/users/@me", { status: "away" });
    for (const connection of [zero, one]) {
      await connection.waitFor("PRESENCE_UPDATE", ({ user_id }) => user_id === both.user.id);
    }
    await one.waitFor("PRESENCE_UPDATE", ({ user_id }) => user_id === only.user.id);
    await zero.expectNone("PRESENCE_UPDATE", ({ user_id }) => user_id === only.user.id);
  });

  test("each shard may have 50 connections; beyond, the oldest of the shard is closed", async () => {
    const bot = await createBot(owner);
    const zero: GatewayClient[] = [];
    for (let n = 0; n < 50; n += 1) zero.push(await connections.open(bot.accessToken, n % 2 ? 0 : 1, "shard=0/2"));
    const one = await connections.open(bot.accessToken, 0, "shard=1/2");
    const whole = await connections.open(bot.accessToken, 1, "");
    await connections.open(bot.accessToken, 0, "shard=0/2");
    expect((await zero[0]?.closed)?.code).toBe(1000);
    await Promise.all([...zero.slice(1), one, whole].map((connection) => connection.heartbeat()));
  });
});
