import { createTestDatabase, startNats, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCursors } from "../cursors/cursor.js";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  publishEphemeral,
  startGateway,
} from "../gateway-fixture.js";
import { lockRoles } from "./lock-roles-fixture.js";

let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  fixture = await startGateway({ databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url });
  rows = createRows(fixture.database);
  stops.push(fixture.stop, nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Connects a numbered client that begins anew. */
async function connectNumbered(userId: string) {
  const client = openClient(fixture, `s=&token=${fixture.accessTokens.issue({ userId })}`);
  await client.receive("READY");
  return client;
}

const keysOf = (frame: object | undefined) => Object.keys(frame ?? {});

describe("a numbered connection", () => {
  test("a numbered connection has a cursor in READY and in every durable event, and in nothing else", async () => {
    const userId = await rows.user();
    const server_id = await rows.server(userId);
    const channel_id = await rows.channel(server_id);
    const [numbered, plain] = [await connectNumbered(userId), await connectClient(fixture, userId)];
    const typing = { user_id: userId, username: "ann", channel_id, timestamp: new Date().toISOString() };
    publishEphemeral(fixture.messaging, "TYPING_START", { server_id, channel_id }, typing);
    for (let index = 0; index < 3; index++) {
      await publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, `é${index}`));
    }
    for (const client of [numbered, plain]) {
      await client.receive("MESSAGE_CREATE", (d) => d.content === "é2");
      await client.settled();
    }
    for (const frame of plain.frames) expect(keysOf(frame)).toEqual(["op", "t", "d"]);
    for (const frame of numbered.frames) {
      const isDurable = frame.t === "READY" || frame.t === "MESSAGE_CREATE";
      expect(keysOf(frame), frame.t ?? frame.op).toEqual(isDurable ? ["op", "t", "d", "s"] : ["op", "t", "d"]);
      expect(frame.d).toEqual(
        frame.t === "MESSAGE_CREATE"
          ? plain.frames.find(({ t, d }) => t === "MESSAGE_CREATE" && d.id === frame.d.id)?.d
          : frame.d,
      );
    }
    const values = numbered.frames.flatMap(({ s }) => (s === undefined ? [] : [s]));
    expect(new Set(values).size).toBe(4);
    for (const s of values) expect(s).toMatch(/^[A-Za-z0-9._~-]{1,128}$/);
    expect(numbered.frames.find(({ t }) => t === "READY")?.d).not.toHaveProperty("resync");
    await Promise.all([numbered.close(), plain.close()]);
  });

  test("a numbered connection names a server whose events wait for its permissions while another server's overtake them", async () => {
    const userId = await rows.user();
    const [held, other] = [await rows.server(userId), await rows.server(userId)];
    const [heldChannel, otherChannel] = [await rows.channel(held), await rows.channel(other)];
    const client = await connectNumbered(userId);
    const post = (server_id: string, channel_id: string, content: string) =>
      publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, content));
    // Loads the permissions of both.
    await post(held, heldChannel, "first");
    await post(other, otherChannel, "first");
    await waitUntil(() => client.events().length === 2);
    const roleId = await rows.role(held);
    const release = await lockRoles(fixture);
    const target = { server_id: held };
    const { sequence } = await publish(fixture.messaging, "ROLE_DELETE", target, { ...target, role_id: roleId });
    const waiting = await post(held, heldChannel, "waits");
    await post(other, otherChannel, "overtakes");
    const overtaking = await client.receive("MESSAGE_CREATE", (d) => d.content === "overtakes");
    const cursors = createCursors(["0123456789abcdef0123456789abcdef"]);
    const pending = (s: string | undefined) => [...(cursors.read(s ?? "", userId)?.position.pending?.values() ?? [])];
    expect(pending(overtaking.s)).toEqual([waiting.sequence]);
    expect(waiting.sequence).toBeGreaterThan(sequence);
    await release();
    const last = await client.receive("MESSAGE_CREATE", (d) => d.content === "waits");
    expect(pending(last.s)).toEqual([]);
    await client.close();
  });

  test("a numbered connection receives no event that was stored before it connected, READY aside", async () => {
    const userId = await rows.user();
    const server_id = await rows.server(userId);
    const channel_id = await rows.channel(server_id);
    const target = { server_id, channel_id };
    for (let round = 0; round < 20; round++) {
      await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(channel_id, `before ${round}`));
      const client = await connectNumbered(userId);
      await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(channel_id, `after ${round}`));
      await client.receive("MESSAGE_CREATE", (d) => d.content === `after ${round}`);
      expect(client.events()).toEqual(["MESSAGE_CREATE"]);
      await client.close();
    }
  });
});
