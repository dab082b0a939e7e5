import { createOutbox, type Outbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient, createRows, type GatewayFixture, type TestClient } from "../gateway-fixture.js";
import { voiceSweepMs } from "../limits.js";
import { startServers } from "../servers-fixture.js";

let nodes: GatewayFixture[];
let voice: GatewayFixture["voice"];
let rows: ReturnType<typeof createRows>;
/** The outbox of a process that has no gateway. */
let outbox: Outbox;
let flushAll: () => Promise<unknown>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const servers = await startServers();
  nodes = [await servers.startNode(), await servers.startNode()];
  const logger = { info() {}, warn() {}, error() {} };
  for (const { database, messaging, ...node } of nodes) {
    rows = createRows(database);
    ({ voice } = node);
    outbox ??= createOutbox({ database, messaging, logger });
  }
  const { redisUrl: url } = servers.urls;
  const own = await connectRedis({ url, name: "test", logger });
  flushAll = () => own.client.flushall();
  stops.push(outbox.close, own.close, servers.stop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** A client's events about a user in voice: their channels, or the end of their broadcast. */
const voiceEventsOf = (client: TestClient, userId: string) =>
  client.frames.flatMap(({ t, d }) => {
    if (t === "VOICE_STATE_UPDATE" && d.user_id === userId) return [d.channel_id];
    return t === "GO_LIVE_STOP" && d.broadcaster_id === userId ? [t] : [];
  });

test("when Redis loses everything, clients of all nodes get each leave of voice once; a user who joins again stays", async () => {
  const [ownerId, liveId, quietId, backId] = [
    await rows.user(),
    await rows.user(),
    await rows.user(),
    await rows.user(),
  ];
  const serverId = await rows.server(ownerId, [liveId, quietId, backId]);
  const channelId = await rows.channel(serverId);
  const clients = await Promise.all(nodes.map((node) => connectClient(node, ownerId)));
  const join = (userId: string) => voice.join({ userId, username: "x", serverId, channelId });
  for (const userId of [liveId, quietId, backId]) await join(userId);
  await voice.startGoLive({ userId: liveId, channelId, quality: "720p" });
  // A sweep in between finds the states lost before the user is back. It needs the lock of the channel to say so.
  let joining: Promise<unknown> = Promise.resolve();
  await outbox.transaction([{ server_id: serverId, channel_id: channelId }], async () => {
    await flushAll();
    joining = join(backId);
    await waitUntil(async () => (await voice.listChannel(channelId)).length === 1, { what: "the user to be back" });
  });
  await joining;
  for (const client of clients) {
    for (const userId of [liveId, quietId]) {
      await waitUntil(() => voiceEventsOf(client, userId).includes(null), { timeoutMs: 3 * voiceSweepMs });
    }
  }
  const lastId = await rows.user();
  await rows.member(serverId, lastId);
  await join(lastId);
  for (const client of clients) {
    await client.receive("VOICE_STATE_UPDATE", (d) => d.user_id === lastId);
    expect(voiceEventsOf(client, liveId)).toEqual([channelId, "GO_LIVE_STOP", null]);
    expect(voiceEventsOf(client, quietId)).toEqual([channelId, null]);
    expect(voiceEventsOf(client, backId)).toEqual([channelId, channelId]);
    await client.close();
  }
});
