import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from "nats";
import type { Messaging, MessagingLogger } from "./connect.js";
import { consumeBatchMax, consumeExpiresMs, consumeRetryMs } from "./limits.js";
import { readHeader } from "./subscribe.js";

/** A durable pull consumer: its place in the stream belongs to the service and outlives every process of it. */
export interface DurableConsumer {
  stream: string;
  /** Name of the consumer; processes that use the same one share its messages. */
  name: string;
  /** Pattern of the subjects it reads. */
  filter: string;
  /** A message that nobody settles for this long goes to somebody else. */
  ackWaitMs: number;
  /** Most messages that may be unsettled, in all processes together; beyond that the server hands out nothing. */
  unsettledMax: number;
}

/** A message of a durable consumer. Whoever gets it settles it with `ack` or `retry`; otherwise it comes again. */
export interface StoredMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  /** The id that the stream recognises copies by; null when it was published without one. */
  readonly id: string | null;
  header(name: string): string | null;
  /** Done: nobody gets it again. */
  ack(): void;
  /** Hands it out again, to any process, after the delay. */
  retry(delayMs: number): void;
  /** Starts the time that it may stay unsettled anew. */
  working(): void;
}

/** A running consumption. */
export interface Consumption {
  /** Asks for nothing more and resolves when the handler will not be called again. */
  close(): Promise<void>;
}

/**
 * Reads a durable consumer until closed, and creates it where it is missing. Waits for a stream that does not exist yet,
 * and goes on after outages, also when the NATS server comes back without its data.
 *
 * @param options.room how many messages the caller can take now, at least 1; resolves later while it can take none
 * @param options.handler gets each message; must not throw
 */
export function consume(options: {
  messaging: Messaging;
  consumer: DurableConsumer;
  room: () => number | Promise<number>;
  handler: (message: StoredMessage) => void;
  logger: MessagingLogger;
}): Consumption {
  const { messaging, consumer: settings, room, handler, logger } = options;
  let closed = false;
  let wake: () => void = () => undefined;
  const closing = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let stopBatch: () => void = () => undefined;
  let failing = false;

  const readBatches = async (consumer: Consumer) => {
    while (!closed) {
      const max_messages = Math.min(consumeBatchMax, (await Promise.race([room(), closing])) ?? 0);
      if (closed) return;
      const batch = await consumer.fetch({ max_messages, expires: consumeExpiresMs });
      stopBatch = () => void batch.close();
      if (closed) stopBatch();
      for await (const message of batch) {
        if (closed) message.nak();
        else handler(storedMessage(message));
      }
    }
  };

  const run = async () => {
    while (!closed) {
      try {
        const consumer = await ensureConsumer(messaging, settings);
        if (failing) logger.info({ consumer: settings.name, stream: settings.stream }, "consumer reads again");
        failing = false;
        await readBatches(consumer);
      } catch (error) {
        if (closed) return;
        if (!failing)
          logger.warn({ err: error, consumer: settings.name, stream: settings.stream }, "cannot consume yet");
        failing = true;
        await Promise.race([new Promise((resolve) => setTimeout(resolve, consumeRetryMs)), closing]);
      }
    }
  };

  const running = run();
  return {
    async close() {
      closed = true;
      wake();
      stopBatch();
      await running;
    },
  };
}

async function ensureConsumer(messaging: Messaging, settings: DurableConsumer): Promise<Consumer> {
  const { stream, name, filter, ackWaitMs, unsettledMax } = settings;
  const manager = await messaging.nats.jetstreamManager({ checkAPI: false });
  await manager.consumers.add(stream, {
    durable_name: name,
    filter_subject: filter,
    // What was stored before the service's first start is its business, too.
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: unsettledMax,
  });
  return messaging.nats.jetstream().consumers.get(stream, name);
}

function storedMessage(message: JsMsg): StoredMessage {
  const { headers } = message;
  return {
    subject: message.subject,
    body: message.data,
    id: readHeader(headers, "Nats-Msg-Id"),
    header: (name) => readHeader(headers, name),
    ack: () => message.ack(),
    retry: (delayMs) => message.nak(delayMs),
    working: () => message.working(),
  };
}
