import { randomUUID } from "node:crypto";
import {
  type DeliveryJob,
  deliveryBody,
  errorTexts,
  notFound,
  pingEvent,
  queueFullText,
  ServiceError,
} from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { createDeliveryQueue, type JobServer, type Messaging } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { closeDelivery, findPing, insertDroppedPing, reopenDelivery } from "./repository.js";

/** Outcome of a request to deliver; the answer to the caller is the same. */
export type QueueOutcome = "queued" | "full" | "disabled";

const unreachable = "The queue could not be reached";

export function createWebhookDeliveries(options: { database: Database; messaging: Messaging; logger: Logger }) {
  const { database, messaging, logger } = options;
  const jobs = createDeliveryQueue({ messaging, logger });

  /** Unlike events these jobs have no outbox: an unreachable queue is reported to the caller (503). */
  const queue = async (job: DeliveryJob, server: JobServer, id?: string) => {
    try {
      if (messaging.connected) {
        const outcome = await jobs.enqueue(job, server, id);
        if (outcome === "full") jobs.warnDropped(job.webhookId);
        return outcome;
      }
    } catch (cause) {
      throw new ServiceError("unavailable", errorTexts.unavailable, { cause });
    }
    throw new ServiceError("unavailable", errorTexts.unavailable);
  };

  return {
    /** Queues a ping (docs/protocol/webhooks.md#13.2). */
    async ping(webhookId: string): Promise<QueueOutcome> {
      const row = await findPing(database, webhookId);
      if (row === undefined) throw notFound(errorTexts.webhook_not_found);
      const { delivery_id, enabled, server_id, server_name, sibling_ids } = row;
      if (!enabled) return "disabled";
      const data = { webhook_id: webhookId, server_name, message: "This is a test event." };
      const body = deliveryBody(pingEvent, server_id, JSON.stringify(data));
      const job = { deliveryId: delivery_id, webhookId, event: pingEvent, body };
      const outcome = await queue(job, { id: server_id, webhookIds: sibling_ids });
      if (outcome === "full") await insertDroppedPing(database, job, queueFullText);
      return outcome;
    },

    /** Queues a delivery of the log again, under its old id and with the same bytes. */
    async redeliver(webhookId: string, deliveryId: string): Promise<QueueOutcome> {
      const row = await reopenDelivery(database, webhookId, deliveryId);
      if (row === undefined) throw notFound(errorTexts.delivery_not_found);
      const { enabled, event, body, server_id, sibling_ids } = row;
      if (!enabled) return "disabled";
      const close = async (status: "dropped" | "failed", error: string) => {
        if (row.is_reopened) await closeDelivery(database, deliveryId, { status, error });
      };
      try {
        // The queue remembers the delivery's own id and would take this for a copy.
        const server = { id: server_id, webhookIds: sibling_ids };
        const outcome = await queue({ deliveryId, webhookId, event, body }, server, `${deliveryId}.${randomUUID()}`);
        if (outcome === "full") await close("dropped", queueFullText);
        return outcome;
      } catch (error) {
        await close("failed", unreachable);
        throw error;
      }
    },
  };
}

/** Deliveries that are not caused by an event. */
export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;
