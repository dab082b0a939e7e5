import { waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectClient, createRows, type GatewayFixture, type TestClient } from "../gateway-fixture.js";
import { startServers, type TestServers } from "../servers-fixture.js";

/** Over in the third window: in the first two the others are answered, also on a slow machine. */
const floodCloseAfterMs = 1_900;
let servers: TestServers;
let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;

beforeAll(async () => {
  servers = await startServers();
  fixture = await servers.startNode({ floodCloseAfterMs });
  rows = createRows(fixture.database);
});

afterAll(() => servers.stop());

afterEach(async () => {
  await waitUntil(() => fixture.metrics.connections === 0, { what: "every connection to be forgotten" });
});

/** Keeps the client's line full until it is closed. */
function flood(client: TestClient, send: () => void): void {
  const more = () => {
    if (client.socket.readyState !== client.socket.OPEN) return;
    for (let count = 0; count < 2_000 && client.socket.bufferedAmount < 1_000_000; count++) send();
    setImmediate(more);
  };
  more();
}

const acks = (client: TestClient) => client.frames.filter((frame) => frame.op === "HEARTBEAT_ACK").length;

describe("a client that floods", () => {
  test.each([
    ["frames of one byte", (client: TestClient) => client.socket.send("x")],
    ["frames of 16 KB", (client: TestClient) => client.socket.send("x".repeat(16_384))],
    ["pongs", (client: TestClient) => client.socket.pong()],
    ["pings", (client: TestClient) => client.socket.ping()],
  ])("a client with %s is read little, closed with 1008, and keeps nobody from being answered", async (_, send) => {
    const [flooding, other] = [
      await connectClient(fixture, await rows.user()),
      await connectClient(fixture, await rows.user()),
    ];
    let pongs = 0;
    flooding.socket.on("pong", () => {
      pongs += 1;
    });
    const { messagesDropped } = fixture.metrics;
    const startedAt = performance.now();
    flood(flooding, () => send(flooding));
    let isClosed = false;
    void flooding.closed.then(() => {
      isClosed = true;
    });
    let answered = 0;
    while (!isClosed && answered < 5) {
      await other.settled();
      answered += 1;
    }
    expect(answered).toBe(5);
    expect(await flooding.closed).toBe(1008);
    const windows = (performance.now() - startedAt) / 1_000 + 1;
    // One chunk of the socket a window, and the shortest frame has 6 bytes.
    expect(fixture.metrics.messagesDropped - messagesDropped).toBeLessThan((windows * 65_536) / 6);
    expect(pongs).toBeLessThanOrEqual(windows * 20);
    await other.close();
  });

  test("a client that floods is read again once the window has passed, and its leaving is noticed", async () => {
    // A hundred may arrive in several chunks, and be over the rate in two windows.
    const patient = await servers.startNode({ floodCloseAfterMs: 60_000 });
    const client = await connectClient(patient, await rows.user());
    for (let count = 0; count < 100; count++) client.send({ op: "HEARTBEAT" });
    await waitUntil(() => acks(client) === 20);
    // One alone may come while the rest of the hundred is being dropped, and be dropped with it. Few are sent in a window:
    // one at each look would be a flood of its own.
    let sentAt = 0;
    await waitUntil(() => {
      if (performance.now() - sentAt > 250) {
        client.send({ op: "HEARTBEAT" });
        sentAt = performance.now();
      }
      return acks(client) > 20;
    });
    for (let count = 0; count < 100; count++) client.send({ op: "HEARTBEAT" });
    await client.close();
    await waitUntil(() => patient.metrics.connections === 0, { what: "the connection to be forgotten" });
  });
});
