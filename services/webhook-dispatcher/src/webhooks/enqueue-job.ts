import { deliveryOfEvent, isEventName, isUuid, type ParsedSubject } from "@parley/contracts";
import type { DeliveryQueue, JobServer } from "@parley/messaging";
import { deliveryIdOf } from "./delivery-id.js";
import type { DroppedLog } from "./dropped-log.js";
import type { DeliveryMetrics } from "./metrics.js";

/** The columns of a webhook that decide whether it gets a job for an event. */
interface Subscriber {
  id: string;
  event_types: string[];
  enabled: boolean;
  /** Whether the last attempt failed or took longer than a second; false before the first one. */
  slow: boolean;
}

/** A stored message event. */
export interface WebhookEvent {
  id: string;
  serverId: string;
  /** Null for an event that yields no deliveries. */
  delivery: ReturnType<typeof deliveryOfEvent>;
}

/**
 * Enqueues the job of an event for a webhook, if it subscribes to the event.
 *
 * @returns `settled` when there is nothing left to do; `waits` when the queue has no room and the webhook is quick, so
 * that the job is not to be dropped
 */
export type EnqueueJob = ReturnType<typeof createEnqueueJob>;

export function createEnqueueJob(options: {
  queue: Pick<DeliveryQueue, "enqueue" | "warnDropped">;
  dropped: Pick<DroppedLog, "add">;
  metrics: Pick<DeliveryMetrics, "ended" | "queued">;
}) {
  const { queue, dropped, metrics } = options;
  return async (event: WebhookEvent, webhook: Subscriber, server: JobServer): Promise<"settled" | "waits"> => {
    const { id: eventId, delivery } = event;
    const { id, event_types, enabled, slow } = webhook;
    if (delivery === null || !enabled || !event_types.includes(delivery.event)) return "settled";
    // Ids carry the database's time: a webhook gets no events from before its creation.
    if (id >= eventId) return "settled";
    const job = { deliveryId: deliveryIdOf(eventId, id), webhookId: id, ...delivery };
    if ((await queue.enqueue(job, server)) === "queued") {
      metrics.queued();
      return "settled";
    }
    if (!slow) return "waits";
    queue.warnDropped(id);
    await dropped.add(job);
    metrics.ended("queue_full");
    return "settled";
  };
}

/** @returns null when it is no message event of a server */
export function readEvent(event: { address: ParsedSubject; id: string | null; body: Uint8Array }): WebhookEvent | null {
  const { address, id, body } = event;
  if (address.scope.kind !== "server" || !isUuid(id)) return null;
  const { serverId } = address.scope;
  // An event that only a newer version defines yields no deliveries here.
  if (!isEventName(address.event)) return { id, serverId, delivery: null };
  return { id, serverId, delivery: deliveryOfEvent(address.event, serverId, Buffer.from(body).toString("utf8")) };
}
