import { deliveryHeaders, isUuid, webhookOfDelivery } from "@parley/contracts";
import type { StoredMessage } from "@parley/messaging";

/** A job as this process holds it. */
export interface HeldJob {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly body: Uint8Array;
  readonly message: StoredMessage;
  /** When its ack wait last began, by `performance.now()`. */
  touchedAt: number;
}

/** @returns null when the message is no job that this version understands */
export function readJob(message: StoredMessage): HeldJob | null {
  const deliveryId = message.header(deliveryHeaders.deliveryId);
  const event = message.header(deliveryHeaders.event);
  const webhookId = webhookOfDelivery(message.subject);
  if (!isUuid(deliveryId) || event === null || !isUuid(webhookId)) return null;
  return { deliveryId, webhookId, event, body: message.body, message, touchedAt: performance.now() };
}
