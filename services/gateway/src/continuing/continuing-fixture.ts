import { createTestDatabase, startNats, startRedis, waitUntil } from "@parley/testing";
import {
  createRows,
  type GatewayAddress,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  type ReceivedFrame,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

/** Two gateways on one database and one NATS, and rows for tests of clients that continue. */
export async function startStage() {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  const urls = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  const [one, other] = [await startGateway(urls), await startGateway(urls)];
  const rows = createRows(one.database);
  return {
    nodes: [one, other] as const,
    nats,
    rows,
    /** A server of these users with one channel. */
    async place(ownerId: string, memberIds: readonly string[] = []) {
      const server_id = await rows.server(ownerId, memberIds);
      return { server_id, channel_id: await rows.channel(server_id) };
    },
    post: (target: { server_id: string; channel_id: string }, content: string) =>
      publish(one.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, content)),
    sendDm: (user_id: string, content: string) => {
      const payload = { id: user_id, channel_id: user_id, author_id: null, content, edited_at: null, author: null };
      const created_at = new Date().toISOString();
      return publish(one.messaging, "DM_MESSAGE_CREATE", { user_id }, { ...payload, created_at });
    },
    async stop() {
      for (const stop of [one.stop, other.stop, nats.stop, redis.stop, database.drop]) await stop();
    },
  };
}

/** Connects with a cursor, empty to begin anew. */
export function openNumbered(node: GatewayAddress, userId: string, s: string, query = ""): TestClient {
  return openClient(node, `s=${encodeURIComponent(s)}&token=${node.accessTokens.issue({ userId })}${query}`);
}

export async function connectNumbered(node: GatewayFixture, userId: string, query = ""): Promise<TestClient> {
  const client = openNumbered(node, userId, "", query);
  await client.receive("READY");
  return client;
}

/** Connects with a cursor and waits for the answer. */
export async function continueAt(node: GatewayFixture, userId: string, s: string, query = "") {
  const client = openNumbered(node, userId, s, query);
  const answer = await waitUntil(() => client.frames.find(({ t }) => t === "RESUMED" || t === "READY"), {
    what: "RESUMED or READY",
  });
  return { client, answer };
}

/** The cursor that a client has to keep. */
export function lastCursor({ frames }: TestClient): string {
  return frames.findLast(({ s }) => s !== undefined)?.s ?? "";
}

/** The contents of the messages in the frames, in order. */
export function contentsOf(frames: readonly ReceivedFrame[]): unknown[] {
  return frames.flatMap(({ t, d }) => (t === "MESSAGE_CREATE" || t === "DM_MESSAGE_CREATE" ? [d.content] : []));
}
