import { deliveryStatuses, Webhook, type WebhookDelivery, webhookEventTypes } from "@parley/contracts";
import type { WebhookDelivery as DeliveryRow, Webhook as WebhookRow } from "@parley/database/prisma";
import { z } from "zod";

/** A webhook with its secret, which is never shown again (docs/protocol/webhooks.md#13.1). */
export const WebhookWithSecret = z.object({ webhook: Webhook, secret: z.string() });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

/** A webhook as it goes over the wire, without its secret (docs/protocol/objects.md#4.27). */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    server_id: row.server_id,
    created_by: row.created_by,
    name: row.name,
    url: row.url,
    event_types: row.event_types.flatMap((stored) => webhookEventTypes.find((type) => type === stored) ?? []),
    enabled: row.enabled,
    delivery_failures: row.delivery_failures,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A line of the delivery log, without the body that was sent. */
export function toDelivery(row: Omit<DeliveryRow, "body">): WebhookDelivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event: row.event,
    status: deliveryStatuses.find((status) => status === row.status) ?? "pending",
    attempts: row.attempts,
    response_status: row.response_status,
    duration_ms: row.duration_ms,
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
