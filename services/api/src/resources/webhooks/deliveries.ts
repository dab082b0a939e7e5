import { randomUUID } from "node:crypto";
import {
  type DeliveryJob,
  deliveryBody,
  errorTexts,
  notFound,
  pingEvent,
  queueFullText,
  ServiceError,
  type WebhookDelivery,
} from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { createDeliveryQueue, type JobServer, type Messaging } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { z } from "zod";
import { deliveriesShownMax } from "./limits.js";
import { toDelivery } from "./resource.js";

/** What became of a request to deliver; the answer to the caller is the same. */
export type QueueOutcome = "queued" | "full" | "disabled";

/** All webhooks of the server, the webhook itself included. */
const siblings = "ARRAY(SELECT sibling.id FROM webhooks sibling WHERE sibling.server_id = w.server_id)";

const pingStatement = defineStatement({
  name: "webhook_ping",
  text: `SELECT uuidv7() AS delivery_id, w.enabled, w.server_id, s.name AS server_name, ${siblings} AS sibling_ids
    FROM webhooks w JOIN servers s ON s.id = w.server_id WHERE w.id = $1`,
  row: z.object({
    delivery_id: z.string(),
    enabled: z.boolean(),
    server_id: z.string(),
    server_name: z.string(),
    sibling_ids: z.array(z.string()),
  }),
});

const listStatement = defineStatement({
  name: "webhook_delivery_list",
  text: `SELECT id, webhook_id, event, status, attempts, response_status, duration_ms, error, created_at, finished_at
    FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2`,
  row: z.object({
    id: z.string(),
    webhook_id: z.string(),
    event: z.string(),
    status: z.string(),
    attempts: z.int(),
    response_status: z.int().nullable(),
    duration_ms: z.int().nullable(),
    error: z.string().nullable(),
    created_at: z.date(),
    finished_at: z.date().nullable(),
  }),
});

/**
 * The dispatcher makes no attempt for a delivery that has ended, so it is opened again before its job is queued. One that
 * waits for its next attempt has a job already, and keeps its attempts.
 */
const reopenStatement = defineStatement({
  name: "webhook_delivery_reopen",
  text: `WITH delivery AS MATERIALIZED (
      SELECT d.id, d.event, d.body, w.enabled, w.server_id, w.enabled AND d.status <> 'pending' AS is_reopened
      FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.id = $1 AND d.webhook_id = $2 FOR UPDATE OF d),
    reopened AS (
      UPDATE webhook_deliveries d SET status = 'pending', attempts = 0, response_status = NULL, duration_ms = NULL,
        error = NULL, finished_at = NULL
      FROM delivery WHERE d.id = delivery.id AND delivery.is_reopened)
    SELECT w.event, w.body, w.enabled, w.server_id, w.is_reopened, ${siblings} AS sibling_ids FROM delivery w`,
  row: z.object({
    is_reopened: z.boolean(),
    event: z.string(),
    body: z.string(),
    enabled: z.boolean(),
    server_id: z.string(),
    sibling_ids: z.array(z.string()),
  }),
});

const closeStatement = defineStatement({
  name: "webhook_delivery_close",
  text: `UPDATE webhook_deliveries SET status = $2, error = $3, finished_at = now()
    WHERE id = $1 AND status = 'pending' AND attempts = 0`,
});

const dropPingStatement = defineStatement({
  name: "webhook_ping_drop",
  text: `INSERT INTO webhook_deliveries (id, webhook_id, event, body, status, error, created_at, finished_at)
    SELECT $1, w.id, $3, $4, 'dropped', $5, now(), now() FROM webhooks w WHERE w.id = $2 FOR KEY SHARE`,
});

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
    /** Queues a ping (docs/interface.md#13.2). */
    async ping(webhookId: string): Promise<QueueOutcome> {
      const [row] = await database.query(pingStatement, [webhookId]);
      if (row === undefined) throw notFound(errorTexts.webhook_not_found);
      const { delivery_id, enabled, server_id, server_name, sibling_ids } = row;
      if (!enabled) return "disabled";
      const data = { webhook_id: webhookId, server_name, message: "This is a test event." };
      const body = deliveryBody(pingEvent, server_id, JSON.stringify(data));
      const job = { deliveryId: delivery_id, webhookId, event: pingEvent, body };
      const outcome = await queue(job, { id: server_id, webhookIds: sibling_ids });
      if (outcome === "full") {
        await database.execute(dropPingStatement, [delivery_id, webhookId, pingEvent, body, queueFullText]);
      }
      return outcome;
    },

    /** The latest deliveries, newest first. */
    async list(webhookId: string): Promise<WebhookDelivery[]> {
      return (await database.query(listStatement, [webhookId, deliveriesShownMax])).map(toDelivery);
    },

    /** Queues a delivery of the log again, under its old id and with the same bytes. */
    async redeliver(webhookId: string, deliveryId: string): Promise<QueueOutcome> {
      const [row] = await database.query(reopenStatement, [deliveryId, webhookId]);
      if (row === undefined) throw notFound(errorTexts.delivery_not_found);
      const { enabled, event, body, server_id, sibling_ids } = row;
      if (!enabled) return "disabled";
      const close = async (status: "dropped" | "failed", why: string) => {
        if (row.is_reopened) await database.execute(closeStatement, [deliveryId, status, why]);
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

/** Deliveries that are not caused by an event, and the log of all of them. */
export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;
