import {
  type EventDefinition,
  type EventFacts,
  factsHeader,
  factsOf,
  findEvent,
  type ParsedSubject,
  parseRecipientLimits,
  parseSubject,
  type RecipientLimits,
  readFacts,
  routingHeaders,
} from "@parley/contracts";
import { continuedAtOnce } from "@parley/service-runtime";
import type { Msg, MsgHdrs, Subscription } from "nats";
import { areFactsCompared, noteFacts } from "./causes.js";
import type { Messaging } from "./connect.js";

/** The header by which a stream recognises a second copy of a message (of JetStream's own). */
export const messageIdHeader = "Nats-Msg-Id";

/** An event as a gateway receives it, live or read again from the stream. */
export interface ReceivedEvent {
  /** Address of the event's recipients (docs/protocol/events.md#14.5), with its name. */
  address: ParsedSubject;
  /**
   * Subject under which the stream keeps or republishes it; equal for the live and the stored copy after the prefix.
   */
  subject: string;
  /** Its entry in the registry; null for an event of a newer version. */
  definition: EventDefinition | null;
  /** UTF-8 body: a part of the memory that the client received it in. */
  body: Uint8Array;
  /** The id that the writer gave it; null for one without. */
  readonly id: string | null;
  /** Sequence in the stream, and that of the event before it on its subject; null for an ephemeral event. */
  stored: { sequence: number; previousSequence: number } | null;
  /** Read again from the stream to fill a gap, not received live. */
  recovered: boolean;
  /** By `performance.now()`. */
  receivedAt: number;
  /** The facts of the payload by the event's entry in the registry. */
  readonly facts: EventFacts;
  /** The poll in the payload whose `user_vote` is the recipient's own. */
  pollId: string | null;
  /** The author of the message that the one in the payload replies to. */
  answers: string | null;
  /** Viewers of this channel are excluded from the recipients. */
  exceptViewersOf: string | null;
  /**
   * Comma-separated: the servers whose members receive an event for co-members; of an event to a user, the server that
   * determines the shard.
   */
  serverIds: string | null;
  /** Null when all recipients get it. */
  limits: RecipientLimits | null;
}

/**
 * Subscribes to live events without a queue: every process gets each of them, in the order of the stream.
 *
 * @param pattern from `subjects`
 * @param handler called for each event; must not throw
 * @returns its `unsubscribe()` ends it
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
      const event = toReceivedEvent(message, {
        subject: message.subject,
        stored: readSequences(message.headers),
        recovered: false,
      });
      if (event === null) return;
      continuedAtOnce(
        (name) => readHeader(message.headers, name),
        event.address.event,
        () => handler(event),
      );
    },
  });
}

/** The event in a message, live or stored; null for a subject that is no event's. */
export function toReceivedEvent(
  message: Pick<Msg, "subject" | "data"> & { headers?: MsgHdrs | undefined },
  { subject, stored, recovered }: Pick<ReceivedEvent, "subject" | "stored" | "recovered">,
): ReceivedEvent | null {
  const address = parseSubject(message.subject);
  if (address === null) return null;
  const { headers } = message;
  const limits = readHeader(headers, routingHeaders.limits);
  const definition = findEvent(address.event);
  let facts: EventFacts | undefined;
  if (definition?.facts !== undefined && areFactsCompared()) {
    const ofHeaders = readFacts(readHeader(headers, factsHeader));
    noteFacts(address.event, { headers: ofHeaders, payload: factsOfBody(definition, message.data) });
  }
  return {
    address,
    subject,
    definition,
    body: message.data,
    get id() {
      return readHeader(headers, messageIdHeader);
    },
    get facts() {
      facts ??=
        readFacts(readHeader(headers, factsHeader)) ??
        (definition?.facts === undefined ? {} : factsOfBody(definition, message.data));
      return facts;
    },
    stored,
    recovered,
    receivedAt: performance.now(),
    pollId: readHeader(headers, routingHeaders.poll),
    answers: readHeader(headers, routingHeaders.answers),
    exceptViewersOf: readHeader(headers, routingHeaders.exceptViewersOf),
    serverIds: readHeader(headers, routingHeaders.servers),
    limits: limits === null ? null : parseRecipientLimits(limits),
  };
}

/**
 * The facts of an event of a process of the version before, which writes none into headers: such processes still run
 * during an upgrade, and their events stay in outbox and stream for a while. It may go in the version after this one. This is
 * the one place in which a gateway parses an event.
 */
function factsOfBody(definition: EventDefinition, body: Uint8Array): EventFacts {
  try {
    const content = JSON.parse(Buffer.from(body).toString());
    const payload: unknown = definition.internal ? content : content.d;
    return factsOf(definition, payload, JSON.stringify(payload));
  } catch {
    return {};
  }
}

/** The value of a header, null when there is none. */
export function readHeader(headers: MsgHdrs | undefined, name: string): string | null {
  const value = headers?.get(name);
  return value === undefined || value === "" ? null : value;
}

/** The sequences in the headers of a republished message; null for one that never was in the stream. */
export function readSequences(headers: MsgHdrs | undefined): ReceivedEvent["stored"] {
  const sequence = readHeader(headers, "Nats-Sequence");
  if (sequence === null) return null;
  return { sequence: Number(sequence), previousSequence: Number(readHeader(headers, "Nats-Last-Sequence") ?? 0) };
}
