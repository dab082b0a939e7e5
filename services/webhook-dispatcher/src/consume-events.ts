import { deliveryOfEvent, eventsStream, isEventName, isUuid, parseSubject, subjects } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import {
  type Consumption,
  consume,
  type DeliveryQueue,
  type JobServer,
  type Messaging,
  type StoredMessage,
} from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import { deliveryIdOf } from "./delivery-id.js";
import type { DroppedLog } from "./dropped-log.js";
import {
  eventAckWaitMs,
  eventsHeldMax,
  retryAfterOutageMs,
  statementBatchMax,
  statementsInFlightMax,
} from "./limits.js";
import type { DispatcherMetrics } from "./metrics.js";

type EventDelivery = NonNullable<ReturnType<typeof deliveryOfEvent>>;

interface Subscriber {
  id: string;
  server_id: string;
  event_types: string[];
  enabled: boolean;
}

/** Read for every batch of events and not cached, so a change applies to the next event. */
const subscribersStatement = defineStatement({
  name: "dispatcher_subscribers",
  text: "SELECT id, server_id, event_types, enabled FROM webhooks WHERE server_id = ANY($1::uuid[]) ORDER BY id",
  row: z.object({ id: z.string(), server_id: z.string(), event_types: z.array(z.string()), enabled: z.boolean() }),
});

/**
 * Turns message events into delivery jobs: one for each enabled webhook of the server that subscribes to the event. An
 * event is acked once each job is queued or stands in the log as dropped; one that is read twice yields the same jobs,
 * which the queue and the log recognise.
 */
export function consumeEvents(options: {
  database: Database;
  messaging: Messaging;
  queue: DeliveryQueue;
  dropped: DroppedLog;
  metrics: Pick<DispatcherMetrics, "ended" | "queued">;
  logger: Logger;
}): Consumption {
  const { database, messaging, queue, dropped, metrics, logger } = options;
  let held = 0;
  let onCapacity: (() => void) | null = null;

  const subscribersOf = createBatcher<string, Subscriber[]>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(serverIds) {
      const rows = await database.query(subscribersStatement, [[...new Set(serverIds)]]);
      const byServer = new Map(serverIds.map((serverId): [string, Subscriber[]] => [serverId, []]));
      for (const row of rows) byServer.get(row.server_id)?.push(row);
      return serverIds.map((serverId) => byServer.get(serverId) ?? []);
    },
  });

  const enqueue = async (webhookId: string, server: JobServer, event: { id: string; delivery: EventDelivery }) => {
    const job = { deliveryId: deliveryIdOf(event.id, webhookId), webhookId, ...event.delivery };
    if ((await queue.enqueue(job, server)) === "queued") {
      metrics.queued();
      return;
    }
    await dropped.add(job);
    metrics.ended("queue_full");
  };

  const handle = async (message: StoredMessage) => {
    const read = readEvent(message);
    if (read === null) {
      logger.error({ subject: message.subject, event_id: message.id }, "an event cannot be read");
      message.ack();
      return;
    }
    try {
      const { serverId, eventId, delivery } = read;
      if (delivery !== null) {
        const webhooks = await subscribersOf(serverId);
        const subscribers = webhooks.filter(
          // Ids carry the database's time: a webhook gets no events from before its creation.
          ({ id, event_types, enabled }) => enabled && event_types.includes(delivery.event) && id < eventId,
        );
        const server = { id: serverId, webhookIds: webhooks.map(({ id }) => id) };
        await Promise.all(subscribers.map(({ id }) => enqueue(id, server, { id: eventId, delivery })));
      }
      message.ack();
    } catch (error) {
      logger.warn({ err: error, event_id: message.id }, "an event's deliveries could not be queued yet");
      message.retry(retryAfterOutageMs);
    }
  };

  return consume({
    messaging,
    logger,
    consumer: {
      stream: eventsStream,
      name: "webhook-dispatcher",
      filter: subjects.storedMessages,
      ackWaitMs: eventAckWaitMs,
      unackedMax: eventsHeldMax * 10,
    },
    async demand() {
      if (held >= eventsHeldMax) {
        await new Promise<void>((resolve) => {
          onCapacity = resolve;
        });
      }
      return eventsHeldMax - held;
    },
    handler(message) {
      held += 1;
      void handle(message).finally(() => {
        held -= 1;
        onCapacity?.();
        onCapacity = null;
      });
    },
  });
}

function readEvent(message: StoredMessage) {
  const address = parseSubject(message.subject);
  if (address?.scope.kind !== "server" || !isUuid(message.id)) return null;
  // An event that only a newer version defines yields no deliveries here.
  if (!isEventName(address.event)) return { serverId: "", eventId: message.id, delivery: null };
  const { serverId } = address.scope;
  const frame = Buffer.from(message.body).toString("utf8");
  return { serverId, eventId: message.id, delivery: deliveryOfEvent(address.event, serverId, frame) };
}
