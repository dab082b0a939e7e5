import { migrate } from "@parley/database";
import { startNats, startPostgres, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  publish,
  startGateway,
} from "../gateway-fixture.js";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // A committed row must survive the kill.
  postgres = await startPostgres({ durable: true });
  await migrate({ databaseUrl: postgres.url });
  const nats = await startNats();
  const redis = await startRedis();
  fixture = await startGateway({ databaseUrl: postgres.url, natsUrl: nats.url, redisUrl: redis.url });
  rows = createRows(fixture.database);
  stops.push(fixture.stop, nats.stop, redis.stop, postgres.stop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

describe("the gateway during an outage of PostgreSQL", () => {
  test("the gateway during an outage of PostgreSQL keeps open sockets, delivers what needs no look-up, holds back the rest, and refuses newcomers with 503", async () => {
    const userId = await rows.user();
    const server_id = await rows.server(userId);
    const [known, unknown] = [await rows.channel(server_id), await rows.channel(server_id)];
    const client = await connectClient(fixture, userId);
    const post = (channel_id: string, content: string) =>
      publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, content));
    await post(known, "before");
    await client.receive("MESSAGE_CREATE");

    await postgres.kill();
    await post(known, "during");
    await client.receive("MESSAGE_CREATE", (d) => d.content === "during");
    const role = { id: userId, server_id, name: "x", permissions: 0, color: "#000000", position: 1, created_at: "" };
    await publish(fixture.messaging, "ROLE_UPDATE", { server_id }, role);
    await post(unknown, "held back");
    await post(known, "behind it");
    await client.receive("ROLE_UPDATE");
    for (const newcomer of [userId, server_id]) {
      const token = fixture.accessTokens.issue({ userId: newcomer });
      expect((await fetch(`${fixture.url}/ws?token=${token}`)).status).toBe(503);
    }
    await client.settled();
    expect(client.events()).toEqual(["MESSAGE_CREATE", "MESSAGE_CREATE", "ROLE_UPDATE"]);

    await postgres.restart();
    await client.receive("MESSAGE_CREATE", (d) => d.content === "behind it");
    const contents = client.frames.flatMap((frame) => (frame.t === "MESSAGE_CREATE" ? [frame.d.content] : []));
    expect(contents).toEqual(["before", "during", "held back", "behind it"]);
    await waitUntil(() => connectClient(fixture, userId).then((again) => again.close().then(() => true)), {
      what: "newcomers to be served again",
    });
    await client.close();
  });
});
