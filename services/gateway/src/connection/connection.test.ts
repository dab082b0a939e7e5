import { defineStatement } from "@parley/database";
import { waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";
import { startServers, type TestServers } from "../servers-fixture.js";

let servers: TestServers;
let fixture: GatewayFixture;
let impatient: GatewayFixture;
let rows: ReturnType<typeof createRows>;

beforeAll(async () => {
  servers = await startServers();
  fixture = await servers.startNode();
  impatient = await servers.startNode({ idleTimeoutMs: 2_000, idleSweepMs: 50 });
  rows = createRows(fixture.database);
});

afterAll(() => servers.stop());

afterEach(async () => {
  await waitUntil(() => fixture.metrics.connections === 0, { what: "every connection to be forgotten" });
});

/** Makes READY larger than the operating system's buffers for a client that does not read. */
const largeServerStatement = defineStatement({
  name: "test_large_server",
  text: `WITH roles AS (
      INSERT INTO roles (server_id, name, permissions, position)
      SELECT $1::uuid, 'role ' || n, 0, n FROM generate_series(1, 100) n RETURNING id
    ), channels AS (
      INSERT INTO channels (server_id, name, position)
      SELECT $1::uuid, 'channel ' || n, n FROM generate_series(1, 800) n RETURNING id
    )
    INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
    SELECT channels.id, roles.id, 0, 2 FROM channels CROSS JOIN roles`,
  row: () => null,
});

const acks = (client: TestClient) => client.frames.filter((frame) => frame.op === "HEARTBEAT_ACK");

describe("a connection", () => {
  test("a connection answers every HEARTBEAT with one HEARTBEAT_ACK, to that connection only", async () => {
    const userId = await rows.user();
    const [client, other] = [await connectClient(fixture, userId), await connectClient(fixture, userId)];
    client.send({ op: "HEARTBEAT" });
    client.send({ op: "HEARTBEAT", t: null, d: null });
    client.send({ op: "HEARTBEAT", t: "x", d: { any: "thing" }, more: 1 });
    await waitUntil(() => acks(client).length === 3);
    expect(acks(client)[0]).toEqual({ op: "HEARTBEAT_ACK", t: null, d: null });
    await other.settled();
    expect(acks(other)).toHaveLength(1);
    await Promise.all([client.close(), other.close()]);
  });

  test("a connection sends READY before anything else, also when the client speaks first", async () => {
    const client = openClient(fixture, `token=${fixture.accessTokens.issue({ userId: await rows.user() })}`);
    client.socket.once("open", () => client.send({ op: "HEARTBEAT" }));
    await waitUntil(() => client.frames.length === 2);
    expect(client.frames.map((frame) => frame.t ?? frame.op)).toEqual(["READY", "HEARTBEAT_ACK"]);
    await client.close();
  });

  test("a connection drops whatever is no op of a client and stays open", async () => {
    const client = await connectClient(fixture, await rows.user());
    const wrong = [
      "",
      "not json",
      "null",
      "[]",
      '"HEARTBEAT"',
      "{}",
      '{"op":1}',
      '{"op":"READY"}',
      '{"op":"DISPATCH","t":"READY","d":{}}',
      '{"op":"HEARTBEAT_ACK"}',
      '{"op":"__proto__"}',
      '{"op":"PRESENCE_UPDATE"}',
      '{"op":"TYPING_START","d":{"channel_id":7}}',
      '{"op":"VOICE_SIGNAL","d":null}',
    ];
    for (const message of wrong) client.send(message);
    client.socket.send(Buffer.from('{"op":"HEARTBEAT"}'), { binary: true });
    client.socket.send(Buffer.from([0x7b, 0xff, 0x7d]), { binary: false });
    await client.settled();
    expect(acks(client)).toHaveLength(1);
    expect(client.events()).toEqual([]);
    await client.close();
  });

  test("a connection drops messages beyond 20 within a second, and takes the next ones a second later", async () => {
    const client = await connectClient(fixture, await rows.user());
    const droppedBefore = fixture.metrics.messagesDropped;
    const startedAt = performance.now();
    for (let count = 0; count < 60; count++) client.send({ op: "HEARTBEAT" });
    await waitUntil(
      () => {
        client.send({ op: "HEARTBEAT" });
        return acks(client).length > 20;
      },
      { what: "the next second's messages" },
    );
    const acked = acks(client).length;
    const seconds = Math.floor((performance.now() - startedAt) / 1_000) + 1;
    await client.close();
    expect(acked).toBeLessThanOrEqual(20 * (seconds + 1));
    expect(fixture.metrics.messagesDropped).toBeGreaterThan(droppedBefore);
  });

  test("a connection takes a frame of 16384 bytes and closes with 1009 at one byte more, fragmented or not", async () => {
    const userId = await rows.user();
    const pad = (length: number) =>
      JSON.stringify({ op: "HEARTBEAT", pad: "" }).replace('""', `"${"x".repeat(length - 27)}"`);
    expect(Buffer.byteLength(pad(16_384))).toBe(16_384);
    const client = await connectClient(fixture, userId);
    client.send(pad(16_384));
    await waitUntil(() => acks(client).length === 1);
    client.send(pad(16_385));
    expect(await client.closed).toBe(1009);
    const fragmenting = await connectClient(fixture, userId);
    fragmenting.socket.send("x".repeat(16_000), { fin: false });
    fragmenting.socket.send("x".repeat(400), { fin: true });
    expect(await fragmenting.closed).toBe(1009);
  });

  test("a connection joins fragments of one message", async () => {
    const client = await connectClient(fixture, await rows.user());
    client.socket.send('{"op":"HEART', { fin: false });
    client.socket.send('BEAT"}', { fin: true });
    await waitUntil(() => acks(client).length === 1);
    await client.close();
  });

  test("a connection closes a client that sends nothing with 1000, and none that sends any kind of frame", async () => {
    const userId = await rows.user();
    const startedAt = performance.now();
    const silent = await connectClient(impatient, userId);
    const pinging = await connectClient(impatient, userId);
    const timer = setInterval(() => pinging.socket.ping(), 100);
    onTestFinished(() => clearInterval(timer));
    expect(await silent.closed).toBe(1000);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000);
    const alsoSilent = await connectClient(impatient, userId);
    await alsoSilent.closed;
    await pinging.settled();
    clearInterval(timer);
    expect(await pinging.closed).toBe(1000);
  });

  test("a connection closes a client that leaves more than 4 MB unread, while the others get every event", async () => {
    const [slowUser, user] = [await rows.user(), await rows.user()];
    const server_id = await rows.server(user, [slowUser]);
    const channel_id = await rows.channel(server_id);
    const [slow, client] = [await connectClient(fixture, slowUser), await connectClient(fixture, user)];
    slow.socket.pause();
    const slowClosesBefore = fixture.metrics.slowCloses;
    const message = messageOf(channel_id, "x".repeat(100_000));
    let sent = 0;
    await waitUntil(
      async () => {
        await publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, message);
        sent += 1;
        return fixture.metrics.slowCloses > slowClosesBefore;
      },
      { what: "the slow client to be closed", timeoutMs: 20_000 },
    );
    expect(sent).toBeGreaterThan(40);
    await waitUntil(() => client.events().length === sent);
    slow.socket.resume();
    expect([1001, 1006]).toContain(await slow.closed);
    await client.close();
  });

  test("a connection does not count READY as unread: a slow line gets a large one whole, and the events after it", async () => {
    const user = await rows.user();
    const server_id = await rows.server(user);
    const channel_id = await rows.channel(server_id);
    await fixture.database.query(largeServerStatement, [server_id]);
    const slow = openClient(fixture, `token=${fixture.accessTokens.issue({ userId: user })}`);
    slow.socket.once("open", () => slow.socket.pause());
    const framesBefore = fixture.metrics.framesSent;
    await waitUntil(() => fixture.metrics.framesSent > framesBefore, { what: "READY to be sent" });
    const quick = await connectClient(fixture, user);
    expect(JSON.stringify(quick.frames[0]).length).toBeGreaterThan(13_000_000);
    await publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "text"));
    await quick.receive("MESSAGE_CREATE");
    slow.socket.resume();
    await slow.receive("MESSAGE_CREATE");
    expect(slow.frames.map(({ t }) => t).filter((t) => t !== "PRESENCE_UPDATE")).toEqual(["READY", "MESSAGE_CREATE"]);
    await Promise.all([slow.close(), quick.close()]);
  });

  test("connections are closed with 1001 when the gateway stops, and nobody gets in any more", async () => {
    const stopping = await startGateway(servers.urls);
    const userId = await rows.user();
    const clients = await Promise.all(Array.from({ length: 30 }, () => connectClient(stopping, userId)));
    const drained = stopping.gateway.drain(1);
    const late = openClient(stopping, `token=${stopping.accessTokens.issue({ userId })}`);
    const startedAt = performance.now();
    expect(new Set(await Promise.all(clients.map((client) => client.closed)))).toEqual(new Set([1001]));
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    await late.closed;
    expect(late.frames).toEqual([]);
    await drained;
    await stopping.stop();
  });
});
