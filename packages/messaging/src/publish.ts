import type { OutboxRow, OutgoingEvent } from "@parley/contracts";
import { continuedTrace, stampHeaders } from "@parley/service-runtime";
import { headers as createHeaders, ErrorCode, type MsgHdrs, NatsError } from "nats";
import { notePublished } from "./causes.js";
import type { Messaging } from "./connect.js";
import { storeAckTimeoutMs } from "./limits.js";
import { type StoredAck, StreamAcks } from "./stream-acks.js";
import { messageIdHeader } from "./subscribe.js";

/**
 * Stores a durable event in the stream EVENTS, which republishes it to the gateways.
 *
 * @param timeoutMs how long to wait for the ack
 * @throws Error when there is no ack in time; the event may be stored all the same
 */
export function publishStored(
  messaging: Messaging,
  event: OutboxRow,
  timeoutMs: number = storeAckTimeoutMs,
): Promise<StoredAck> {
  const read = (name: string) => event.headers[name];
  return continuedTrace(read, "publish", () => store(messaging, event, timeoutMs));
}

async function store(messaging: Messaging, event: OutboxRow, timeoutMs: number): Promise<StoredAck> {
  const { reply, ack } = acksOf(messaging).expect(timeoutMs);
  const headers = toHeaders(event.headers);
  headers.set(messageIdHeader, event.id);
  try {
    messaging.nats.publish(event.subject, event.body, { headers, reply });
  } catch (error) {
    // A closed connection: the ack times out, and its rejection must not count as unhandled.
    ack.catch(() => undefined);
    throw error;
  }
  return ack;
}

const acks = new WeakMap<Messaging, StreamAcks>();

function acksOf(messaging: Messaging): StreamAcks {
  const known = acks.get(messaging);
  if (known !== undefined) return known;
  const created = new StreamAcks(messaging);
  acks.set(messaging, created);
  return created;
}

/**
 * Publishes an ephemeral event: delivered at most once, and dropped while NATS is out of reach, or where it is larger
 * than NATS takes: the change that the event describes is stored by then, and must not fail.
 *
 * @param event of kind `ephemeral`
 */
export function publishLive(messaging: Messaging, event: Pick<OutgoingEvent, "subject" | "body" | "headers">): void {
  notePublished(event);
  stampHeaders(event.headers);
  if (!messaging.connected) return;
  try {
    messaging.nats.publish(event.subject, event.body, { headers: toHeaders(event.headers) });
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const bytes = Buffer.byteLength(event.body);
    messaging.logger.warn({ subject: event.subject, bytes }, "a live event is larger than NATS takes, and was dropped");
  }
}

/** Whether a failure to publish says that the message has more bytes than NATS ever takes (`max_payload`). */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;

/** Headers of a message. */
export function toHeaders(headers: Record<string, string>): MsgHdrs {
  const result = createHeaders();
  for (const [name, value] of Object.entries(headers)) result.set(name, value);
  return result;
}
