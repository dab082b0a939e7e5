import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/**
 * Event types a webhook may subscribe to; the member events are accepted and never dispatched (docs/protocol/webhooks.md#13.2).
 */
export const webhookEventTypes = [
  "message.created",
  "message.updated",
  "message.deleted",
  "member.joined",
  "member.left",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** A webhook without its secret (docs/protocol/objects.md#4.27). */
export const Webhook = z
  .object({
    id: uuid,
    server_id: uuid,
    created_by: uuid.nullable(),
    name: z.string(),
    url: z.string(),
    event_types: z.array(z.enum(webhookEventTypes)),
    enabled: z.boolean(),
    delivery_failures: z.int(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/**
 * A delivery still waits for its first or next attempt, was answered with 2xx, has failed for good, or was dropped
 * without an attempt because the queue, or the share of its webhook or server, was full.
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "dropped"] as const;

/** A line of a webhook's delivery log. */
export const WebhookDelivery = z
  .object({
    id: uuid,
    webhook_id: uuid,
    event: z.string(),
    status: z.enum(deliveryStatuses),
    /** Attempts made so far. */
    attempts: z.int(),
    /** Status of the last answer; null when there was none. */
    response_status: z.int().nullable(),
    /** Duration of the last attempt. */
    duration_ms: z.int().nullable(),
    /** Why the last attempt failed. */
    error: z.string().nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
