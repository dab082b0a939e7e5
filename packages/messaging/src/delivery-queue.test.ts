import { randomUUID } from "node:crypto";
import { deliveriesStream, subjects } from "@parley/contracts";
import { startNats, waitUntil } from "@parley/testing";
import { DiscardPolicy, RetentionPolicy, StorageType } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { consume } from "./consume.js";
import { deliveryConsumer, publishDelivery, queuedDeliveries } from "./deliveries.js";
import { createDeliveryQueue, type DeliveryQueue, type JobServer } from "./delivery-queue.js";
import { deliveryQueueMax, serverDeliveriesMax, webhookDeliveriesMax } from "./limits.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

type Server = Awaited<ReturnType<typeof startNats>>;
const logger = { info: () => undefined, warn: () => undefined };
let server: Server;
let connections: Messaging[];

const connect = async () => {
  const messaging = await connectMessaging({ url: server.url, name: "test", logger });
  connections.push(messaging);
  return messaging;
};
const serverWith = (webhooks: number): JobServer => ({
  id: randomUUID(),
  webhookIds: Array.from({ length: webhooks }, () => randomUUID()),
});
const job = (webhookId: string) => ({ deliveryId: randomUUID(), webhookId, event: "ping", body: "{}" });
/** One event: a job for every webhook; returns how many were queued. */
const enqueueAll = async (queue: DeliveryQueue, to: JobServer) => {
  const outcomes = await Promise.all(to.webhookIds.map((webhookId) => queue.enqueue(job(webhookId), to)));
  return outcomes.filter((outcome) => outcome === "queued").length;
};
const fill = async (queue: DeliveryQueue, to: JobServer, events: number) => {
  let queued = 0;
  for (let event = 0; event < events; event += 1) queued += await enqueueAll(queue, to);
  return queued;
};
/** A job that is stored while the jobs are counted counts twice for a moment, so the last places take a second look. */
const fillShare = async (queue: DeliveryQueue, to: JobServer, jobs: number) => {
  let queued = 0;
  await waitUntil(async () => {
    queued += await enqueueAll(queue, to);
    return queued >= jobs;
  });
  expect(queued).toBe(jobs);
  expect(await enqueueAll(queue, to)).toBe(0);
};

beforeEach(async () => {
  connections = [];
  server = await startNats();
});
afterEach(async () => {
  await Promise.all(connections.map((messaging) => messaging.close()));
  await server.stop();
});

test("a webhook has at most 200 jobs in the queue, a server 1,000, and others are not concerned", async () => {
  const messaging = await connect();
  await ensureStreams(messaging, defaultStreamSettings);
  const queue = createDeliveryQueue({ messaging, logger });
  const [few, many, quiet] = [serverWith(2), serverWith(10), serverWith(1)];
  expect(await fill(queue, few, 250)).toBe(2 * webhookDeliveriesMax);
  await fillShare(queue, many, serverDeliveriesMax);
  expect(await fill(queue, quiet, 50)).toBe(50);
  expect(await queuedDeliveries(messaging)).toBe(2 * webhookDeliveriesMax + serverDeliveriesMax + 50);

  // A process that starts now knows of the jobs of those before it.
  const later = createDeliveryQueue({ messaging: await connect(), logger });
  expect(await enqueueAll(later, many)).toBe(0);
});

test("two processes together exceed the share of a server by no more than they queue between two counts", async () => {
  const queues = [await connect(), await connect()].map((messaging) => createDeliveryQueue({ messaging, logger }));
  const [messaging] = connections;
  if (messaging === undefined) throw new Error("no connection");
  await ensureStreams(messaging, defaultStreamSettings);
  const many = serverWith(10);
  const queued = await Promise.all(queues.map((queue) => fill(queue, many, 300)));
  const total = queued.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(await queuedDeliveries(messaging));
  expect(total).toBeGreaterThanOrEqual(serverDeliveriesMax);
  expect(total).toBeLessThanOrEqual(many.webhookIds.length * webhookDeliveriesMax);
  expect(await Promise.all(queues.map((queue) => fill(queue, many, 5)))).toEqual([0, 0]);
});

test("however many servers fill their shares, one with few jobs finds room", async () => {
  const messaging = await connect();
  await ensureStreams(messaging, defaultStreamSettings);
  const queue = createDeliveryQueue({ messaging, logger });
  for (let hostile = 0; hostile < 30; hostile += 1) {
    const to = serverWith(10);
    await Promise.all(Array.from({ length: 110 }, () => enqueueAll(queue, to)));
  }
  expect(await queuedDeliveries(messaging)).toBeLessThan(deliveryQueueMax);
  const quiet = serverWith(1);
  expect(await fill(queue, quiet, 2)).toBe(2);
});

test("jobs beyond the shares that wait when the limits come are delivered, also after a restart of NATS", async () => {
  const messaging = await connect();
  const manager = await messaging.nats.jetstreamManager();
  await manager.streams.add({
    name: deliveriesStream,
    subjects: [subjects.allDeliveries],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: deliveryQueueMax,
  });
  const webhookId = randomUUID();
  const waiting = Array.from({ length: 300 }, () => job(webhookId));
  for (const { deliveryId } of waiting) await publishDelivery(messaging, { ...job(webhookId), deliveryId });
  await ensureStreams(messaging, defaultStreamSettings);
  expect(await publishDelivery(messaging, job(webhookId))).toBe("full");
  await server.kill();
  await server.restart();
  const again = await connect();
  expect(await queuedDeliveries(again)).toBe(300);
  const taken = new Set<string | null>();
  await new Promise<void>((resolve) => {
    const consumption = consume({
      messaging: again,
      logger,
      consumer: deliveryConsumer,
      demand: () => 500,
      handler(message) {
        message.ack();
        taken.add(message.id);
        if (taken.size === waiting.length) resolve(consumption.close());
      },
    });
  });
  expect(taken).toEqual(new Set(waiting.map(({ deliveryId }) => deliveryId)));
});
