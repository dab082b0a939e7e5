import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientOptions, WebSocket } from "ws";
import {
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  publishEphemeral,
} from "../gateway-fixture.js";
import { compressedRecipientsMin, frameBytesMax } from "../limits.js";
import { startServers, type TestServers } from "../servers-fixture.js";
import { offersSharedCompression } from "./compression-offer.js";

let servers: TestServers;
let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;

beforeAll(async () => {
  servers = await startServers();
  fixture = await servers.startNode();
  rows = createRows(fixture.database);
});

afterAll(() => servers.stop());

const open = (userId: string, { query = "", ...options }: ClientOptions & { query?: string } = {}) =>
  openClient(fixture, `token=${fixture.accessTokens.issue({ userId })}${query}`, options);

describe("the compression of events", () => {
  test.each([
    ["permessage-deflate; client_max_window_bits", true],
    ["permessage-deflate;client_no_context_takeover ; client_max_window_bits=15", true],
    [
      "permessage-deflate; server_no_context_takeover; client_max_window_bits, permessage-deflate; client_max_window_bits",
      true,
    ],
    ["permessage-deflate", false],
    ["permessage-deflate; client_max_window_bits=9", false],
    ["permessage-deflate; client_max_window_bits; server_max_window_bits=10", false],
    ["permessage-deflate; client_max_window_bits; server_no_context_takeover", false],
    ["x-webkit-deflate-frame", false],
    ["=;,", false],
    ["", false],
    [undefined, false],
  ])("is negotiated for an offer of %s: %s", (header, isAccepted) => {
    expect(offersSharedCompression(header)).toBe(isAccepted);
  });

  test("is part of the upgrade for clients that offer it, and no reason to refuse what is not accepted", async () => {
    const userId = await rows.user();
    const offers: [ClientOptions["perMessageDeflate"], string][] = [
      [true, "permessage-deflate"],
      [false, ""],
      [{ serverNoContextTakeover: true }, ""],
      [{ serverMaxWindowBits: 10 }, ""],
    ];
    for (const [perMessageDeflate, extensions] of offers) {
      const client = open(userId, perMessageDeflate === undefined ? {} : { perMessageDeflate });
      await client.receive("READY");
      expect(client.socket.extensions).toBe(extensions);
      await client.close();
    }
  });

  test("leaves every client the same events, and less than half of the bytes to those that offer it", async () => {
    const members = await Promise.all(Array.from({ length: compressedRecipientsMin + 2 }, () => rows.user()));
    const [owner = "", ...others] = members;
    const server_id = await rows.server(owner, others);
    const target = { server_id, channel_id: await rows.channel(server_id) };
    const bytes = new Map<WebSocket, () => number>();
    const clients = members.map((userId, index) => {
      const client = open(userId, { perMessageDeflate: index > 0, query: index < 3 ? "&s=" : "" });
      client.socket.once("upgrade", ({ socket }) => bytes.set(client.socket, () => socket.bytesRead));
      return client;
    });
    for (const client of clients) await client.receive("READY");
    await Promise.all(clients.map((client) => client.settled()));
    const before = clients.map(({ socket }) => bytes.get(socket)?.() ?? 0);
    const messages = Array.from({ length: 40 }, (_, n) => messageOf(target.channel_id, `number ${n} `.repeat(n)));
    for (const message of messages) {
      await publish(fixture.messaging, "MESSAGE_CREATE", target, message);
      const typing = { ...target, user_id: owner, username: "owner", timestamp: new Date(0).toISOString() };
      publishEphemeral(fixture.messaging, "TYPING_START", target, typing);
    }
    for (const client of clients) {
      await waitUntil(() => client.frames.filter(({ t }) => t === "MESSAGE_CREATE").length === messages.length);
      const received = client.frames.filter(({ t }) => t === "MESSAGE_CREATE").map(({ d }) => d);
      expect(received).toEqual(messages);
    }
    await Promise.all(clients.map((client) => client.settled()));
    const [plain = 0, numbered = 0, , unnumbered = 0] = clients.map(
      ({ socket }, index) => (bytes.get(socket)?.() ?? 0) - (before[index] ?? 0),
    );
    expect(numbered).toBeLessThan(plain / 2);
    expect(unnumbered).toBeLessThan(plain / 2);
    expect(fixture.metrics.bytesSaved).toBeGreaterThan(0);
    await Promise.all(clients.map((client) => client.close()));
  });

  test("is left out of presences that one client asked for", async () => {
    const members = await Promise.all(Array.from({ length: compressedRecipientsMin + 2 }, () => rows.user()));
    const [own = "", ...others] = members;
    await rows.server(own, others);
    const online = others.map((userId) => open(userId, { perMessageDeflate: false, query: "&v=2&presence=none" }));
    for (const one of online) await one.receive("READY");
    const client = open(own, { query: "&v=2&presence=subscribed", perMessageDeflate: true });
    await client.receive("READY");
    const before = fixture.metrics.bytesSaved;
    client.send({ op: "PRESENCE_SUBSCRIBE", d: { user_ids: others } });
    for (const id of others) await client.receive("PRESENCE_UPDATE", ({ user_id }) => user_id === id);
    expect(fixture.metrics.bytesSaved).toBe(before);
    for (const one of [client, ...online]) await one.close();
  });

  test("of what a client sends is taken off, up to the longest frame", async () => {
    const client = open(await rows.user(), { perMessageDeflate: { threshold: 0 } });
    await client.receive("READY");
    for (let times = 0; times < 3; times += 1) await client.settled();
    client.send({ op: "HEARTBEAT", d: "x".repeat(frameBytesMax) });
    expect(await client.closed).toBe(1009);
  });
});
