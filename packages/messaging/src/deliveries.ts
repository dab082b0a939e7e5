import { type DeliveryJob, deliveriesStream, deliveryHeaders, subjects, webhookOfDelivery } from "@parley/contracts";
import { stampHeaders } from "@parley/service-runtime";
import { NatsError } from "nats";
import type { Messaging } from "./connect.js";
import type { DurableConsumer } from "./consume.js";
import { deliveryAckTimeoutMs, deliveryQueueMax } from "./limits.js";
import { toHeaders } from "./publish.js";

/**
 * Puts a delivery job into the work queue.
 *
 * @param id the id by which the queue recognises a second copy, for two minutes; the delivery's id by default
 * @returns `full` when the queue has its 10,000 jobs, or 200 of the webhook: the job is dropped
 * (docs/protocol/webhooks.md#13.2, docs/protocol/limits.md#16.3)
 * @throws NatsError when there is no ack in time; the job may be queued all the same
 */
export async function publishDelivery(
  messaging: Messaging,
  job: DeliveryJob,
  id: string = job.deliveryId,
): Promise<"queued" | "full"> {
  const values = { [deliveryHeaders.deliveryId]: job.deliveryId, [deliveryHeaders.event]: job.event };
  stampHeaders(values);
  const headers = toHeaders(values);
  try {
    const options = { msgID: id, headers, timeout: deliveryAckTimeoutMs };
    await messaging.nats.jetstream().publish(subjects.delivery(job.webhookId), job.body, options);
    return "queued";
  } catch (error) {
    if (error instanceof NatsError && refusals.has(error.api_error?.description ?? "")) return "full";
    throw error;
  }
}

/** Answers of the stream when it is full, or full of jobs of this webhook. */
const refusals = new Set(["maximum messages exceeded", "maximum messages per subject exceeded"]);

/**
 * The consumer of the work queue. As many jobs as the queue has may be unacked: a job that waits for its next attempt is
 * unacked, and one webhook's waiting jobs must not stop the delivery of others.
 */
export const deliveryConsumer: DurableConsumer = {
  stream: deliveriesStream,
  name: "webhook-dispatcher",
  filter: subjects.allDeliveries,
  ackWaitMs: 20_000,
  unackedMax: deliveryQueueMax,
};

/** Number of jobs in the work queue, those that wait for a retry included. */
export async function queuedDeliveries(messaging: Messaging): Promise<number> {
  const manager = await messaging.nats.jetstreamManager({ checkAPI: false });
  return (await manager.streams.info(deliveriesStream)).state.messages;
}

/** Jobs of each webhook in the work queue, those that wait for a retry included. */
export async function waitingDeliveries(messaging: Messaging): Promise<Map<string, number>> {
  const manager = await messaging.nats.jetstreamManager({ checkAPI: false });
  const { state } = await manager.streams.info(deliveriesStream, { subjects_filter: subjects.allDeliveries });
  return new Map(
    Object.entries(state.subjects ?? {}).flatMap(([subject, jobs]): [string, number][] => {
      const webhookId = webhookOfDelivery(subject);
      return webhookId === null ? [] : [[webhookId, jobs]];
    }),
  );
}
