import { type ParsedSubject, parseSubject } from "@parley/contracts";
import type { Msg, MsgHdrs, Subscription } from "nats";
import type { Messaging } from "./connect.js";

/** The header by which a stream recognises a second copy of a message (of JetStream's own). */
export const messageIdHeader = "Nats-Msg-Id";

/** An event as a gateway receives it. */
export interface ReceivedEvent {
  /** Address of the event's recipients (docs/interface.md#14.5), with its name. */
  address: ParsedSubject;
  /**
   * Subject under which the stream keeps or republishes it; equal for the live and the stored copy after the prefix.
   */
  subject: string;
  /** UTF-8 body. Valid only during the call that hands it over: copy what must stay. */
  body: Uint8Array;
  /** Value of a routing header, or null. */
  header(name: string): string | null;
  /** The id that the writer gave it; null for one without. */
  readonly id: string | null;
  /** Place in the stream; null for an ephemeral event. */
  stored: { sequence: number; previousSequence: number } | null;
}

/**
 * Subscribes to live events without a queue: every process gets each of them, in the order of the stream.
 *
 * @param pattern from `subjects`
 * @param handler called for each event; must not throw
 * @returns call `unsubscribe()` on it to leave
 */
export function subscribeLive(
  messaging: Messaging,
  pattern: string,
  handler: (event: ReceivedEvent) => void,
): Subscription {
  return messaging.nats.subscribe(pattern, {
    callback: (error, message) => {
      // Only permission errors arrive here; the connection's status reports them.
      if (error !== null) return;
      const event = receivedEvent(message);
      if (event !== null) handler(event);
    },
  });
}

function receivedEvent(message: Msg): ReceivedEvent | null {
  const address = parseSubject(message.subject);
  if (address === null) return null;
  const headers = message.headers;
  return {
    address,
    subject: message.subject,
    body: message.data,
    header: (name) => readHeader(headers, name),
    get id() {
      return readHeader(headers, messageIdHeader);
    },
    stored: readSequences(headers),
  };
}

/** The value of a header, null when there is none. */
export function readHeader(headers: MsgHdrs | undefined, name: string): string | null {
  const value = headers?.get(name);
  return value === undefined || value === "" ? null : value;
}

/** The place in the stream that a republished message names; null for one that never was in the stream. */
export function readSequences(headers: MsgHdrs | undefined): ReceivedEvent["stored"] {
  const sequence = readHeader(headers, "Nats-Sequence");
  if (sequence === null) return null;
  return { sequence: Number(sequence), previousSequence: Number(readHeader(headers, "Nats-Last-Sequence") ?? 0) };
}
