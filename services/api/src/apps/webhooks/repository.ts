import type { DeliveryJob } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction, Webhook } from "@parley/database/prisma";
import { z } from "zod";
import type { UpdateWebhook } from "./schema.js";

/** Deliveries that the log of a webhook shows. */
const deliveriesShownMax = 100;

/** A webhook below its server's path. */
export interface WebhookAddress {
  server_id: string;
  webhook_id: string;
}

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

/** The data of a ping; undefined when the webhook is gone. */
export async function findPing(connection: Queryable, webhookId: string) {
  const [ping] = await connection.query(pingStatement, [webhookId]);
  return ping;
}

/** Notes a ping that the queue did not take in the log. */
export async function insertDroppedPing(
  connection: Queryable,
  { deliveryId, webhookId, event, body }: DeliveryJob,
  error: string,
): Promise<void> {
  await connection.execute(dropPingStatement, [deliveryId, webhookId, event, body, error]);
}

/** The latest deliveries of a webhook, newest first. */
export function findDeliveries(connection: Queryable, webhookId: string) {
  return connection.query(listStatement, [webhookId, deliveriesShownMax]);
}

/** Opens a delivery of the log again, if its webhook is enabled; undefined when it is gone. */
export async function reopenDelivery(connection: Queryable, webhookId: string, deliveryId: string) {
  const [delivery] = await connection.query(reopenStatement, [deliveryId, webhookId]);
  return delivery;
}

/** Ends a delivery that was opened again and that nobody has attempted since. */
export async function closeDelivery(
  connection: Queryable,
  deliveryId: string,
  { status, error }: { status: "dropped" | "failed"; error: string },
): Promise<void> {
  await connection.execute(closeStatement, [deliveryId, status, error]);
}

/** The webhooks of a server, oldest first. */
export function findWebhooks({ prisma }: Queryable, serverId: string): Promise<Webhook[]> {
  return prisma.webhook.findMany({ where: { server_id: serverId }, orderBy: [{ created_at: "asc" }, { id: "asc" }] });
}

export function findWebhook({ prisma }: Queryable, address: WebhookAddress): Promise<Webhook | null> {
  return prisma.webhook.findUnique({ where: { id: address.webhook_id, server_id: address.server_id } });
}

export function countWebhooks({ prisma }: Queryable, serverId: string): Promise<number> {
  return prisma.webhook.count({ where: { server_id: serverId } });
}

export function insertWebhook(
  { prisma }: Transaction,
  data: Pick<Webhook, "server_id" | "created_by" | "name" | "url" | "event_types" | "secret">,
): Promise<Webhook> {
  return prisma.webhook.create({ data });
}

/** @returns undefined when it is gone */
export async function updateWebhook(
  { prisma }: Queryable,
  id: string,
  data: Partial<UpdateWebhook> & { secret?: string; updated_at?: Date },
): Promise<Webhook | undefined> {
  return (await prisma.webhook.updateManyAndReturn({ where: { id }, data }))[0];
}

/** @returns false when it is gone */
export async function deleteWebhook({ prisma }: Queryable, id: string): Promise<boolean> {
  return (await prisma.webhook.deleteMany({ where: { id } })).count > 0;
}
