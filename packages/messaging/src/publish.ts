import type { OutgoingEvent } from "@parley/contracts";
import { headers as createHeaders, type MsgHdrs } from "nats";
import type { Messaging } from "./connect.js";
import { storeAckTimeoutMs } from "./limits.js";

/** A stored event's place in the stream EVENTS. */
export interface StoredAck {
  /** Sequence number in the stream. */
  sequence: number;
  /** True when the stream had it already and dropped this copy. */
  duplicate: boolean;
}

/** An event as it is stored: what {@link OutgoingEvent} says, without its name. */
export type StorableEvent = Pick<OutgoingEvent, "subject" | "body" | "headers">;

/**
 * Stores a durable event in the stream EVENTS, which republishes it to the gateways.
 *
 * @param id what the stream recognises a second copy by (the outbox row's id)
 * @param timeoutMs how long to wait for the ack
 * @throws NatsError when there is no ack in time; the event may be stored all the same
 */
export async function publishStored(
  messaging: Messaging,
  event: StorableEvent & { id: string },
  timeoutMs: number = storeAckTimeoutMs,
): Promise<StoredAck> {
  const ack = await messaging.nats.jetstream().publish(event.subject, event.body, {
    msgID: event.id,
    timeout: timeoutMs,
    headers: toHeaders(event.headers),
  });
  return { sequence: ack.seq, duplicate: ack.duplicate };
}

/**
 * Publishes an ephemeral event: delivered at most once, and dropped while NATS is out of reach.
 *
 * @param event of kind `ephemeral`
 */
export function publishLive(messaging: Messaging, event: OutgoingEvent): void {
  if (!messaging.connected) return;
  messaging.nats.publish(event.subject, event.body, { headers: toHeaders(event.headers) });
}

function toHeaders(headers: Record<string, string>): MsgHdrs {
  const result = createHeaders();
  for (const [name, value] of Object.entries(headers)) result.set(name, value);
  return result;
}
