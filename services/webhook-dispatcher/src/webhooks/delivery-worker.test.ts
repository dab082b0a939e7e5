import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { deliveryHeaders, subjects } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database";
import { createNameResolver } from "@parley/egress";
import type { StoredMessage } from "@parley/messaging";
import { createLogger, createMetrics } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createHttpClient } from "../attempts/http-client.js";
import { createDeliveryRows } from "./delivery-rows.js";
import { DeliveryWorker } from "./delivery-worker.js";
import { createDeliveryMetrics } from "./metrics.js";

const logger = createLogger({ service: "webhook-dispatcher", level: "silent", nodeId: "test" });

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** A receiver that always fails. @returns its URL, and the number that each attempt says to be */
async function failingReceiver() {
  const attempts: number[] = [];
  const server = createServer((request, response) => {
    attempts.push(Number(request.headers["x-service-delivery-attempt"]));
    request.resume();
    response.writeHead(500).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return { attempts, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

async function createWebhook(url: string): Promise<string> {
  const client = await testDatabase.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `WITH owner AS (INSERT INTO users (username) VALUES ('owner') RETURNING id),
      server AS (INSERT INTO servers (name, owner_id) SELECT 'server', id FROM owner RETURNING id, owner_id)
      INSERT INTO webhooks (server_id, name, url, secret, event_types, created_by)
        SELECT id, 'hook', $1, repeat('a', 64), ARRAY['message.created'], owner_id FROM server RETURNING id`,
    [url],
  );
  return String(rows[0]?.id);
}

/** A dispatcher that has just started: it knows nothing of what others did. */
function startWorker(): DeliveryWorker {
  const worker = new DeliveryWorker({
    rows: createDeliveryRows({ database }),
    client: createHttpClient({
      allowsAddress: () => true,
      names: createNameResolver({ knowsLocalNames: true }),
      connectTimeoutMs: 60_000,
    }),
    logger,
    metrics: createDeliveryMetrics(createMetrics().registry),
  });
  onTestFinished(() => worker.close());
  return worker;
}

/** Has a worker take the job, as the queue hands it out. @returns how it was given back: acknowledged, or to be retried */
function take(worker: DeliveryWorker, webhookId: string, deliveryId: string): Promise<"acked" | "retried"> {
  const headers: Record<string, string> = {
    [deliveryHeaders.deliveryId]: deliveryId,
    [deliveryHeaders.event]: "message.created",
  };
  return new Promise((resolve) => {
    const message: StoredMessage = {
      subject: subjects.delivery(webhookId),
      body: Buffer.from("{}"),
      id: deliveryId,
      sequence: 1,
      // An ordinary redelivery and one after a death look the same.
      attempt: 1,
      header: (name) => headers[name] ?? null,
      ack: () => resolve("acked"),
      retry: () => resolve("retried"),
      giveUp: () => undefined,
      working: () => undefined,
    };
    worker.take(message);
  });
}

test("a dispatcher that begins where another one died counts the attempts that were made before", async () => {
  const receiver = await failingReceiver();
  const webhookId = await createWebhook(receiver.url);
  const deliveryId = randomUUID();
  const ends = [];
  for (let process = 0; process < 3; process += 1) ends.push(await take(startWorker(), webhookId, deliveryId));
  expect(receiver.attempts).toEqual([1, 2, 3]);
  expect(ends).toEqual(["retried", "retried", "acked"]);
});
