import { findEvent, type ParsedSubject, routingHeaders } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { encodeTextFrame } from "../connection/websocket-frame.js";

/** An event that this node delivers; it owns its bytes, independent of the client's receive buffer. */
export interface InboundEvent {
  address: ParsedSubject;
  subject: string;
  stored: ReceivedEvent["stored"];
  /** Read from the stream to fill a gap, not received live. */
  recovered: boolean;
  /** By `performance.now()`. */
  receivedAt: number;
  /** The body as a WebSocket frame, the same bytes for every recipient. */
  frame: Buffer;
  /** The body alone: the same memory as the end of `frame`. */
  body: Buffer;
  /** A control event: for gateways only, not sent to clients. */
  internal: boolean;
  /** Invalidates the server's permissions for the events after it. */
  changesVisibility: boolean;
  /** The poll in the payload whose `user_vote` is the recipient's own. */
  pollId: string | null;
  /** Viewers of this channel are excluded from the recipients. */
  exceptViewersOf: string | null;
  /** Comma-separated servers whose members receive an event for co-members. */
  serverIds: string | null;
}

/** @param recovered whether it was read from the stream to fill a gap */
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
