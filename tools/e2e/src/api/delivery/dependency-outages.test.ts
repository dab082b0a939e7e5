import { join } from "node:path";
import { errorBody, Webhook } from "@parley/contracts";
import { migrate } from "@parley/database";
import {
  createChannel,
  createClient,
  createServer,
  listMessages,
  postMessage,
  runContext,
  startPostgres,
  startStack,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { levelOf } from "../log-levels.js";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let stack: TestStack;

beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = postgres.databaseUrl("postgres");
  await migrate({ databaseUrl, migrationsDir: join(runContext().root, "prisma", "migrations") });
  // Its own: its database is stopped.
  stack = await startStack({ gateways: 0, databaseUrl });
});
afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
});

const unavailable = errorBody("Service unavailable");

test("without NATS a message is stored, and what only NATS could do is refused with 503", async () => {
  const client = createClient(stack.edgeUrl);
  const ann = await client.register();
  const server = await createServer(ann);
  const channel = await createChannel(ann, server.id);
  const hooks = `/servers/${server.id}/webhooks`;
  const fields = { name: "hook", url: "https://example.com/hook", event_types: ["message.created"] };
  const { webhook } = (await ann.post(hooks, fields)).expect(201, z.object({ webhook: Webhook, secret: z.string() }));
  const deliveryId = await insertDelivery(webhook.id);

  await stack.nats.stop();
  const ready = await waitUntil(async () => {
    const answer = await client.get("/health/ready");
    return answer.status === 503 && answer;
  });
  expect(ready.body).toMatchObject({
    ready: false,
    checks: { database: { ok: true }, redis: { ok: true }, nats: { ok: false, error: expect.any(String) } },
  });
  expect((await client.get("/health")).status).toBe(200);
  const serving = await client.get("/health/serving");
  expect([serving.status, serving.body]).toEqual([200, { serving: true }]);
  for (const path of [`${hooks}/${webhook.id}/test`, `${hooks}/${webhook.id}/deliveries/${deliveryId}/redeliver`]) {
    const answer = await ann.post(path);
    expect([path, answer.status, answer.body]).toEqual([path, 503, unavailable]);
  }
  const { id } = await postMessage(ann, channel.id, "meanwhile");
  expect((await listMessages(ann, channel.id)).map((message) => message.id)).toEqual([id]);
  await stack.nats.restart();
  await waitUntil(async () => (await client.get("/health/ready")).status === 200);
});

test("without PostgreSQL the answer is 503 in the form of every error, and it recovers by itself", async () => {
  const client = createClient(stack.edgeUrl);
  const ann = await client.register();
  await postgres.stop();
  const health = await waitUntil(async () => {
    const answer = await client.get("/health");
    return answer.status === 503 && answer;
  });
  expect(health.body).toMatchObject({ status: "degraded", database: { status: "unavailable" } });
  expect((await client.get("/health/ready")).status).toBe(503);
  const serving = await client.get("/health/serving");
  expect([serving.status, serving.body]).toEqual([503, { serving: false }]);
  expect((await client.get("/health/live")).body).toEqual({ alive: true });
  for (const answer of [
    await ann.get("/servers"),
    await ann.post("/servers", { name: "x" }),
    await ann.patch("/users/@me", { bio: "x" }),
    await client.post("/auth/login", { username: ann.username, password: ann.password }),
  ]) {
    expect([answer.status, answer.body]).toEqual([503, unavailable]);
    expect(await levelOf(stack, answer.headers)).toBe("warn");
  }
  await postgres.restart();
  await waitUntil(async () => (await ann.get("/servers")).status === 200);
});

async function insertDelivery(webhookId: string): Promise<string> {
  const connection = new pg.Client({ connectionString: postgres.databaseUrl("postgres") });
  await connection.connect();
  try {
    const text = "INSERT INTO webhook_deliveries (webhook_id, event, body) VALUES ($1, 'ping', '{}') RETURNING id";
    const { rows } = await connection.query(text, [webhookId]);
    return z.object({ id: z.string() }).parse(rows[0]).id;
  } finally {
    await connection.end();
  }
}
