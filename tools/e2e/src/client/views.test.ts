import { createClient, type ParleyClient } from "@parley/client";
import { createViews, type Views } from "@parley/presence";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { connectGateway, type MortalStack, useMortalStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startEdgeProxy } from "./edge-proxy.js";

const mortal = useMortalStack();
let stack: MortalStack;
let redis: RedisConnection;
/** The views of a process that is no gateway. */
let views: Views;
let client: ParleyClient;
let userId: string;
let channelId: string;
let otherId: string;

beforeAll(async () => {
  ({ stack } = mortal);
  const logger = { info: () => {}, warn: () => {} };
  redis = await connectRedis({ url: stack.redis.url, name: "test", logger });
  views = createViews({ redis });
});
afterAll(async () => {
  await redis?.close();
});
beforeEach(async () => {
  client = createClient({ baseUrl: stack.edgeUrl });
  ({ id: userId } = await client.register({
    username: `u_${crypto.randomUUID().slice(0, 8)}`,
    password: "a password",
  }));
  const server = await client.servers.create({ name: "Chess club" });
  channelId = (await client.channels.create(server.id, { name: "general" })).id;
  otherId = (await client.channels.create(server.id, { name: "endgames" })).id;
});

const looksAt = async (...channelIds: string[]) =>
  views.lookedAt(channelIds.map((channel) => ({ userId, channelId: channel })));

test("a client names its shown channels again after the connection was lost, and nobody looks at them once it is closed", async () => {
  const proxy = await startEdgeProxy(stack.edgeUrl);
  const tokens = client.tokens ?? { accessToken: "", refreshToken: "" };
  const gateway = createClient({ baseUrl: proxy.url, tokens }).gateway({ backoff: { baseMs: 20, maxMs: 200 } });
  gateway.view([otherId]);
  const answers: string[][] = [];
  gateway.on("VIEW_ACK", ({ channel_ids }) => answers.push(channel_ids));
  await gateway.connect();
  await waitUntil(() => answers.length === 1);
  gateway.view([channelId, crypto.randomUUID()]);
  await waitUntil(() => answers.length === 2);
  expect(answers).toEqual([[otherId], [channelId]]);
  expect(await looksAt(channelId, otherId)).toEqual([true, false]);
  proxy.cut();
  await waitUntil(() => answers.length === 3);
  expect(answers[2]).toEqual([channelId]);
  expect(await looksAt(channelId)).toEqual([true]);
  gateway.view([channelId], { active: false });
  await waitUntil(() => answers.length === 4);
  expect([answers[3], await looksAt(channelId)]).toEqual([[channelId], [false]]);
  gateway.view([channelId]);
  await waitUntil(() => answers.length === 5);
  gateway.close();
  await waitUntil(async () => (await looksAt(channelId))[0] === false);
  await proxy.close();
});

test("channels that the connections of a killed gateway show no longer count, those of the others do", async () => {
  const accessToken = client.tokens?.accessToken ?? "";
  const connections = stack.gateways.map(({ url }) => connectGateway(url, "", { query: `v=2&token=${accessToken}` }));
  for (const [index, connection] of connections.entries()) {
    await connection.ready;
    connection.send("VIEW", { channel_ids: [index === 0 ? channelId : otherId] });
    await waitUntil(() => connection.events.some(({ name }) => name === "VIEW_ACK"));
  }
  expect(await looksAt(channelId, otherId)).toEqual([true, true]);
  await stack.gateways[0]?.kill();
  await waitUntil(async () => (await looksAt(channelId))[0] === false);
  expect(await looksAt(channelId, otherId)).toEqual([false, true]);
  connections[1]?.terminate();
  await waitUntil(async () => (await looksAt(otherId))[0] === false);
  await stack.gateways[0]?.restart();
});

test("a connection with v=1 says nothing", () => {
  expect(() => client.gateway({ v: 1 }).view([channelId])).toThrow("v=1");
});
