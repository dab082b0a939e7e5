import { randomUUID } from "node:crypto";
import { startNats } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { consume, type StoredMessage } from "./consume.js";
import { deliveryConsumer, publishDelivery, queuedDeliveries } from "./deliveries.js";
import { deliveryQueueMax, webhookDeliveriesMax } from "./limits.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

type Server = Awaited<ReturnType<typeof startNats>>;
const logger = { info: () => undefined, warn: () => undefined };
let server: Server;
let messaging: Messaging;

beforeAll(async () => {
  server = await startNats();
  messaging = await connectMessaging({ url: server.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
});
afterAll(async () => {
  await messaging?.close();
  await server?.stop();
});

const webhookIds = Array.from({ length: deliveryQueueMax / webhookDeliveriesMax }, () => randomUUID());
const job = (deliveryId: string, webhookId = webhookIds[0] ?? "") => ({
  deliveryId,
  webhookId,
  event: "ping",
  body: `{"id":"${deliveryId}"}`,
});
const publishMany = (count: number, webhookId?: string) =>
  Promise.all(Array.from({ length: count }, () => publishDelivery(messaging, job(randomUUID(), webhookId))));

test("the queue takes a delivery once, and holds 10,000 jobs, 200 of each webhook, and not one more", async () => {
  const twice = job(randomUUID());
  expect([await publishDelivery(messaging, twice), await publishDelivery(messaging, twice)]).toEqual([
    "queued",
    "queued",
  ]);
  expect(await queuedDeliveries(messaging)).toBe(1);
  const ofFirst = await publishMany(webhookDeliveriesMax, webhookIds[0]);
  expect(ofFirst.filter((outcome) => outcome === "full")).toHaveLength(1);
  for (const webhookId of webhookIds.slice(1)) await publishMany(webhookDeliveriesMax, webhookId);
  expect(await queuedDeliveries(messaging)).toBe(deliveryQueueMax);
  expect(await publishDelivery(messaging, job(randomUUID(), randomUUID()))).toBe("full");

  // All of them may be out at the same time, so that jobs that wait for a retry keep no other from being handed out.
  const taken: StoredMessage[] = [];
  const allTaken = new Promise<void>((resolve) => {
    const consumption = consume({
      messaging,
      logger,
      consumer: deliveryConsumer,
      demand: () => 500,
      handler(message) {
        taken.push(message);
        if (taken.length === deliveryQueueMax) resolve(consumption.close());
      },
    });
  });
  await allTaken;
  expect(new Set(taken.map(({ id }) => id)).size).toBe(deliveryQueueMax);
});
