import { eventsStream, liveSubjectOf } from "@parley/contracts";
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  ErrorCode,
  NatsError,
  nanos,
} from "nats";
import type { Messaging } from "./connect.js";
import { createReaderTimeoutsMs, readBatchMax, readRequestTimeoutMs, readTimeoutMs } from "./limits.js";
import { isNotFound } from "./not-found.js";
import { messageIdHeader, type ReceivedEvent, readHeader, toReceivedEvent } from "./subscribe.js";

const requestOptions = { checkAPI: false, timeout: readRequestTimeoutMs };

/** Bounds of the stream EVENTS at a moment. */
export interface StoredRange {
  /** Sequence of the oldest event it still has. */
  firstSequence: number;
  /** Sequence of the newest event; 0 for a stream that never had one. */
  lastSequence: number;
}

/**
 * Bounds of the stream EVENTS.
 *
 * @throws Error when JetStream does not answer or the connection is lost
 */
export async function storedRange(messaging: Messaging): Promise<StoredRange> {
  const manager = await messaging.nats.jetstreamManager(requestOptions);
  const { state } = await messaging.whileConnected(manager.streams.info(eventsStream));
  return { firstSequence: state.first_seq, lastSequence: state.last_seq };
}

/**
 * The id of the event that the stream EVENTS has under a sequence: another id than before means that sequences were
 * given out again, in a stream that was created anew or lost its end. The stream's time of creation is no substitute: NATS
 * 2.9 loses it at the restart after an update of the stream's settings.
 *
 * @returns null for an event that was stored without an id, undefined when the stream has none under that sequence
 * @throws Error when JetStream does not answer or the connection is lost
 */
export async function storedId(messaging: Messaging, sequence: number): Promise<string | null | undefined> {
  // An empty stream has no message to read.
  if (sequence === 0) return undefined;
  const manager = await messaging.nats.jetstreamManager(requestOptions);
  try {
    const { header } = await messaging.whileConnected(manager.streams.getMessage(eventsStream, { seq: sequence }));
    return readHeader(header, messageIdHeader);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Reads stored events again, in order, to fill a gap (docs/processes/gateway.md#gaps).
 *
 * @param range first and last sequence, both included; events that the stream no longer has are skipped. `filter` is a
 * pattern of stored subjects, all by default; `eventsMax` ends the reading earlier, after so many
 * @param handler called for each event, its subject in the form that gateways subscribe to; a promise delays the next
 * event, which is how a full queue slows the reading down
 * @throws Error when the connection is lost on the way; the events that the handler has received until then are a range
 * without gaps
 */
export async function readStored(
  messaging: Messaging,
  range: { from: number; to: number; filter?: string; eventsMax?: number },
  handler: (event: ReceivedEvent) => void | Promise<void>,
): Promise<void> {
  if (range.from > range.to) return;
  const lost = messaging.connectionLost;
  const created = await createReader(messaging, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: range.from,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(readTimeoutMs * 2),
    ...(range.filter === undefined ? {} : { filter_subject: range.filter }),
  });
  try {
    // Without anything to read, a fetch would wait for the next event that is stored.
    if (created.num_pending === 0) return;
    const consumer = await messaging.whileConnected(
      messaging.nats.jetstream(requestOptions).consumers.get(eventsStream, created.name),
    );
    let left = range.eventsMax ?? Number.POSITIVE_INFINITY;
    const counting = (event: ReceivedEvent) => {
      left -= 1;
      return handler(event);
    };
    while (left > 0 && (await readBatch({ consumer, lost, to: range.to, eventsMax: left, handler: counting })));
  } finally {
    // If this fails, the server deletes it after `inactive_threshold`.
    const manager = await messaging.nats.jetstreamManager(requestOptions);
    manager.consumers.delete(eventsStream, created.name).catch(() => {});
  }
}

/** Those that are created after their attempt was given up are deleted by the server after `inactive_threshold`. */
async function createReader(messaging: Messaging, config: Partial<ConsumerConfig>): Promise<ConsumerInfo> {
  let lastFailure: unknown;
  for (const timeout of createReaderTimeoutsMs) {
    const manager = await messaging.nats.jetstreamManager({ checkAPI: false, timeout });
    try {
      return await messaging.whileConnected(manager.consumers.add(eventsStream, config));
    } catch (error) {
      if (!(error instanceof NatsError) || error.code !== ErrorCode.Timeout) throw error;
      lastFailure = error;
    }
  }
  throw lastFailure;
}

/**
 * Reads the next events; false when the end of the range is reached. A batch ends with its connection: the server
 * counts messages that it sent to the old one as delivered, so after a reconnect the client's request would continue
 * after a gap.
 */
async function readBatch(options: {
  consumer: Consumer;
  lost: AbortSignal;
  to: number;
  eventsMax: number;
  handler: (event: ReceivedEvent) => void | Promise<void>;
}): Promise<boolean> {
  const { consumer, lost, to, eventsMax, handler } = options;
  const batch = await consumer.fetch({ max_messages: Math.min(readBatchMax, eventsMax), expires: readTimeoutMs });
  const stop = () => void batch.close();
  lost.addEventListener("abort", stop, { once: true });
  let read = 0;
  try {
    for await (const message of batch) {
      lost.throwIfAborted();
      read += 1;
      if (message.seq > to) return false;
      const event = toReceivedEvent(message, {
        subject: liveSubjectOf(message.subject),
        stored: { sequence: message.seq, previousSequence: 0 },
        recovered: true,
      });
      if (event !== null) await handler(event);
      if (message.seq === to || message.info.pending === 0) return false;
    }
  } finally {
    lost.removeEventListener("abort", stop);
  }
  lost.throwIfAborted();
  if (read === 0) throw new Error("the stream stopped answering while events were read again");
  return true;
}
