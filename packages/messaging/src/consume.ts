import type { MinimalLogger } from "@parley/service-runtime";
import { AckPolicy, createInbox, DeliverPolicy, type Msg, nanos, type Subscription } from "nats";
import type { Messaging } from "./connect.js";
import {
  consumeBatchMax,
  consumeExpiresMs,
  consumeHeartbeatMs,
  consumeRetryMs,
  ensureConsumerTimeoutMs,
} from "./limits.js";
import { isNotFound } from "./not-found.js";
import { messageIdHeader, readHeader } from "./subscribe.js";

/** A durable pull consumer: its position in the stream belongs to the service and outlives every process of it. */
export interface DurableConsumer {
  stream: string;
  /** Name of the consumer; processes that use the same one share its messages. */
  name: string;
  /** Pattern of the subjects it reads. */
  filter: string;
  /** A message without an ack for this long is delivered again, to any process. */
  ackWaitMs: number;
  /** Most messages that may be unacked, in all processes together; beyond that the server delivers nothing. */
  unackedMax: number;
}

/** A message of a durable consumer. The receiver calls `ack` or `retry`; otherwise it is delivered again. */
export interface StoredMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  /** The id that the stream recognises copies by; null when it was published without one. */
  readonly id: string | null;
  /** Its sequence in the stream. */
  readonly sequence: number;
  header(name: string): string | null;
  /** Acknowledges it: it is not delivered again. */
  ack(): void;
  /** Delivers it again after the delay, to any process. */
  retry(delayMs: number): void;
  /** How often it has been delivered, this time included. */
  readonly attempt: number;
  /** Ends its deliveries without an ack. */
  giveUp(): void;
  /** Restarts its ack wait. */
  working(): void;
}

/** A running consumption of messages, requests or notices. */
export interface Consumption {
  /** Ends it; resolves when the handler will not be called again. */
  close(): Promise<void>;
}

/**
 * Reads a durable consumer until closed, and creates it where it is missing. Waits for a stream that does not exist yet,
 * and continues after outages, also when the NATS server restarts without its data. It requests nothing without a
 * connection: the client library discards its unsent requests each time it dials, and they would never be answered.
 *
 * @param options.demand how many messages the caller can take now, at least 1; resolves later while it can take none
 * @param options.handler gets each message; must not throw
 */
export function consume(options: {
  messaging: Messaging;
  consumer: DurableConsumer;
  demand: () => number | Promise<number>;
  handler: (message: StoredMessage) => void;
  logger: MinimalLogger;
}): Consumption {
  const { messaging, consumer, demand, handler, logger } = options;
  const pull = new Pull(messaging, consumer, handler);
  const about = { consumer: consumer.name, stream: consumer.stream };
  let closed = false;
  let stop: () => void = () => undefined;
  const closing = new Promise<"closing">((resolve) => {
    stop = () => resolve("closing");
  });

  const run = async () => {
    let failing: "missing" | "broken" | null = null;
    while (!closed) {
      try {
        if (!messaging.connected) await Promise.race([untilConnected(messaging), closing]);
        if (closed) return;
        await messaging.whileConnected(ensureConsumer(messaging, consumer));
        if (failing !== null) logger.info(about, "consumer reads again");
        failing = null;
        while (!closed) {
          const wanted = await Promise.race([demand(), closing]);
          if (wanted === "closing") return;
          await Promise.race([pull.batch(Math.min(consumeBatchMax, wanted)), closing]);
        }
      } catch (error) {
        const failure = isNotFound(error) ? "missing" : "broken";
        if (failure !== failing) {
          // In a new installation until the first api or gateway has made the streams.
          if (failure === "missing") logger.info(about, "waits for the stream");
          else logger.warn({ err: error, ...about }, "cannot consume yet");
        }
        failing = failure;
        // After a lost connection the loop waits for the next one instead.
        if (!messaging.connected) continue;
        await Promise.race([new Promise((resolve) => setTimeout(resolve, consumeRetryMs)), closing]);
      }
    }
  };

  const running = run();
  const close = async () => {
    closed = true;
    stop();
    await running;
    await pull.close();
  };
  let closure: Promise<void> | undefined;
  return {
    close() {
      closure ??= close();
      return closure;
    },
  };
}

/**
 * Requests for messages of one consumer, one at a time, all on one subscription. The client library's own pull
 * subscription ends with every request: messages that the server had sent by then would be lost until their ack wait
 * expires.
 */
class Pull {
  readonly #messaging: Messaging;
  readonly #nextSubject: string;
  readonly #inbox = createInbox();
  readonly #handler: (message: StoredMessage) => void;
  readonly #subscription: Subscription;
  readonly #removeListener: () => void;
  #request = 0;
  #left = 0;
  #lastMessageAt = 0;
  #closed = false;
  #end: (failure: Error | null) => void = () => undefined;

  constructor(messaging: Messaging, consumer: DurableConsumer, handler: (message: StoredMessage) => void) {
    this.#messaging = messaging;
    // An address of JetStream's own API.
    this.#nextSubject = `$JS.API.CONSUMER.MSG.NEXT.${consumer.stream}.${consumer.name}`;
    this.#handler = handler;
    this.#subscription = messaging.nats.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        // Only permission errors arrive here; the connection's status reports them.
        if (error === null) this.#receive(message);
      },
    });
    this.#removeListener = messaging.onConnectionChange(() => this.#end(new Error("The NATS connection was lost")));
  }

  /**
   * Requests messages; resolves when they have arrived or the request has expired.
   *
   * @throws Error when the server has no such consumer, or sends nothing for two heartbeats
   */
  async batch(size: number): Promise<void> {
    this.#request += 1;
    this.#left = size;
    this.#lastMessageAt = performance.now();
    const ended = new Promise<void>((resolve, reject) => {
      this.#end = (failure) => (failure === null ? resolve() : reject(failure));
    });
    const watch = setInterval(() => {
      if (performance.now() - this.#lastMessageAt > 2 * consumeHeartbeatMs) {
        this.#end(new Error("The NATS server is silent"));
      }
    }, consumeHeartbeatMs);
    try {
      const request = { batch: size, expires: nanos(consumeExpiresMs), idle_heartbeat: nanos(consumeHeartbeatMs) };
      this.#messaging.nats.publish(this.#nextSubject, JSON.stringify(request), {
        reply: `${this.#inbox}.${this.#request}`,
      });
      await ended;
    } finally {
      clearInterval(watch);
    }
  }

  /** Naks messages that still arrive. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#removeListener();
    this.#end(null);
    if (this.#messaging.connected) await this.#subscription.drain();
    else this.#subscription.unsubscribe();
  }

  #receive(message: Msg): void {
    this.#lastMessageAt = performance.now();
    if (message.subject.startsWith(this.#inbox)) {
      this.#receiveStatus(message);
      return;
    }
    const stored = storedMessage(message, this.#messaging);
    if (this.#closed) {
      stored.retry(0);
      return;
    }
    this.#left -= 1;
    if (this.#left === 0) this.#end(null);
    this.#handler(stored);
  }

  #receiveStatus({ subject, headers }: Msg): void {
    if (subject !== `${this.#inbox}.${this.#request}` || headers === undefined) return;
    switch (headers.code) {
      case 100: // heartbeat
        return;
      case 404: // no messages
      case 408: // the request has expired
        this.#end(null);
        return;
      default:
        this.#end(new Error(`JetStream answered ${headers.code} ${headers.description}`));
    }
  }
}

function untilConnected(messaging: Messaging): Promise<void> {
  return new Promise((resolve) => {
    const removeListener = messaging.onConnectionChange((connected) => {
      if (!connected) return;
      removeListener();
      resolve();
    });
  });
}

async function ensureConsumer(messaging: Messaging, settings: DurableConsumer): Promise<void> {
  const { stream, name, filter, ackWaitMs, unackedMax } = settings;
  const manager = await messaging.nats.jetstreamManager({ checkAPI: false, timeout: ensureConsumerTimeoutMs });
  await manager.consumers.add(stream, {
    durable_name: name,
    filter_subject: filter,
    // Includes events from before the service's first start.
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: unackedMax,
  });
}

function storedMessage(message: Msg, messaging: Messaging): StoredMessage {
  const { headers } = message;
  const nak = (delayMs: number) =>
    message.respond(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : "-NAK");
  return {
    subject: message.subject,
    body: message.data,
    id: readHeader(headers, messageIdHeader),
    ...deliveryOf(message.reply ?? ""),
    header: (name) => readHeader(headers, name),
    ack: () => void message.respond("+ACK"),
    retry(delayMs) {
      if (messaging.connected) nak(delayMs);
      // Otherwise it would be delivered again only after its ack wait.
      else void untilConnected(messaging).then(() => nak(delayMs));
    },
    giveUp: () => void message.respond("+TERM"),
    working: () => void message.respond("+WPI"),
  };
}

/** @param reply `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>…`; since NATS 2.10 perhaps with domain and account */
function deliveryOf(reply: string): { attempt: number; sequence: number } {
  const tokens = reply.split(".");
  const at = tokens.length === 9 ? 4 : 6;
  return { attempt: Number(tokens[at]), sequence: Number(tokens[at + 1]) };
}
