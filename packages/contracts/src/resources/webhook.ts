import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** Event types a webhook may subscribe to; the member events are accepted and never dispatched (13.2). */
export const webhookEventTypes = [
  "message.created",
  "message.updated",
  "message.deleted",
  "member.joined",
  "member.left",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** A webhook without its secret (4.27). */
export const Webhook = z
  .object({
    id: uuid,
    server_id: uuid,
    created_by: uuid,
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
