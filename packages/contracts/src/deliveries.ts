import { type EventName, findEvent } from "./events.js";
import { payloadOfFrame } from "./outgoing-event.js";
import type { WebhookEventType } from "./resources/webhook.js";

/** Event of a test delivery (docs/protocol/webhooks.md#13.2); no webhook subscribes to it. */
export const pingEvent = "ping";

/** The events that a delivery may carry. */
export type DeliveryEvent = WebhookEventType | typeof pingEvent;

/** A delivery to be made: every attempt sends exactly this body (docs/protocol/webhooks.md#13.2). */
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

/** Body of a delivery around `data` that is serialised already (docs/protocol/webhooks.md#13.2). */
export function deliveryBody(event: DeliveryEvent, serverId: string, dataJson: string): string {
  return `{"event":"${event}","server_id":"${serverId}","data":${dataJson}}`;
}

/**
 * The beginnings of the keys that a payload has behind the message: the keys of events (docs/protocol/events.md#23.4) and, as
 * the last one, the nonce, which is for the author only (docs/protocol/repetition.md#21). No other key has these names, and in a
 * text the quotation marks would be escaped. An event of the version before has the nonce alone.
 */
const keysBehindMessage = [',"server_id":"', ',"nonce":"'];

/**
 * Body of the delivery of a stored event. The message is cut out of the frame without parsing it.
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
  const payload = payloadOfFrame(name, frame);
  if (event === undefined || payload === null) return null;
  const end = keysBehindMessage.map((key) => payload.lastIndexOf(key)).find((at) => at >= 0);
  const message = end === undefined ? payload : `${payload.slice(0, end)}}`;
  return { event, body: deliveryBody(event, serverId, message) };
}
