import { type EventName, findEvent } from "./events.js";
import { dispatchFrame } from "./outgoing-event.js";
import type { WebhookEventType } from "./resources/webhook.js";

/** Event of a test delivery (docs/interface.md#13.2); no webhook subscribes to it. */
export const pingEvent = "ping";

/** What a delivery can be about. */
export type DeliveryEvent = WebhookEventType | typeof pingEvent;

/** A delivery to be made: every attempt sends exactly this body (docs/interface.md#13.2). */
export interface DeliveryJob {
  /** Identifies the delivery, the same over all attempts: a UUID. */
  deliveryId: string;
  webhookId: string;
  event: string;
  /** Finished JSON text. */
  body: string;
}

/** Why a delivery was dropped, in the delivery log. */
export const queueFullText = "The queue was full";

/** Headers of a job in the work queue; its body is the delivery's body, its subject names the webhook. */
export const deliveryHeaders = { deliveryId: "Parley-Delivery", event: "Parley-Event" } as const;

/** Body of a delivery around `data` that is serialised already (docs/interface.md#13.2). */
export function deliveryBody(event: DeliveryEvent, serverId: string, dataJson: string): string {
  return `{"event":"${event}","server_id":"${serverId}","data":${dataJson}}`;
}

/** Before the nonce of a payload. No other key has the name, and in a text the quotation marks would be escaped. */
const nonceKey = ',"nonce":"';

/**
 * Body of the delivery of a stored event. The payload is cut out of the frame without parsing it. A nonce, which is the
 * payload's last key, is for the author only and left out (docs/interface.md#21).
 *
 * @param name event name
 * @param frame the finished DISPATCH frame
 * @returns null for an event without a webhook event, and when the text is no frame of that event
 */
export function deliveryOfEvent(
  name: EventName,
  serverId: string,
  frame: string,
): { event: WebhookEventType; body: string } | null {
  const event = findEvent(name)?.webhook;
  const head = dispatchFrame(name, "").slice(0, -1);
  if (event === undefined || !frame.startsWith(head) || !frame.endsWith("}")) return null;
  const nonceAt = frame.lastIndexOf(nonceKey);
  const payload = nonceAt < 0 ? frame.slice(head.length, -1) : `${frame.slice(head.length, nonceAt)}}`;
  return { event, body: deliveryBody(event, serverId, payload) };
}
