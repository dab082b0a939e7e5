import { findEvent, type ParsedSubject, routingHeaders } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { encodeTextFrame } from "../connection/websocket-frame.js";

/** An event on its way through this node, independent of the buffer it was received in. */
export interface InboundEvent {
  address: ParsedSubject;
  subject: string;
  stored: ReceivedEvent["stored"];
  /** Read from the stream again, to fill a gap. */
  recovered: boolean;
  /** When it came, by `performance.now()`. */
  receivedAt: number;
  /** The body as a WebSocket frame, the same bytes for every recipient. */
  frame: Buffer;
  /** The body alone: the same memory as the end of `frame`. */
  body: Buffer;
  /** Steers gateways; no client gets it. */
  internal: boolean;
  /** What is delivered after it needs the server's permissions to be read again. */
  changesVisibility: boolean;
  /** The poll in the payload whose `user_vote` is the recipient's own. */
  pollId: string | null;
  /** Not for those who may view this channel. */
  exceptViewersOf: string | null;
  /** Servers whose members an event for co-members concerns. */
  serverIds: string | null;
}

/** @param recovered whether it was read from the stream again */
export function toInboundEvent(event: ReceivedEvent, recovered: boolean): InboundEvent {
  const definition = findEvent(event.address.event);
  const frame = encodeTextFrame(event.body);
  return {
    address: event.address,
    subject: event.subject,
    stored: event.stored,
    recovered,
    receivedAt: performance.now(),
    frame,
    body: frame.subarray(frame.length - event.body.length),
    internal: definition?.internal ?? false,
    changesVisibility: definition?.changesVisibility ?? false,
    pollId: event.header(routingHeaders.poll),
    exceptViewersOf: event.header(routingHeaders.exceptViewersOf),
    serverIds: event.header(routingHeaders.servers),
  };
}
