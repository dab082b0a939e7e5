import { setTimeout as pause } from "node:timers/promises";
import {
  type Messaging,
  publishHeartbeat,
  type ReceivedEvent,
  readStored,
  type StoredRange,
  storedId,
  storedRange,
  subscribeHeartbeats,
} from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import {
  fillBufferMax,
  heartbeatAfterMs,
  heartbeatCheckMs,
  heartbeatJitterMs,
  lowWatermarkLagMs,
  retryPauseMs,
  synchroniseTimeoutMs,
} from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";

interface StreamWatchOptions {
  messaging: Messaging;
  metrics: GatewayMetrics;
  logger: Logger;
}

/** Who is told what: events in order, each live or read again; and that events are lost for good. */
export interface StreamListener {
  onEvent(event: ReceivedEvent, recovered: boolean): void;
  onLoss(reason: string): void;
}

/**
 * This node's place in the stream EVENTS.
 *
 * live   → behind   NATS is out of reach
 * behind → live     NATS is back, and what was missed is delivered
 *
 * While behind, stored events that arrive wait for those that are read again. Ephemeral ones never wait.
 */
export class StreamWatch {
  #state: "live" | "behind" = "live";
  #highWatermark = 0;
  /** Id of the event with that sequence; undefined when the stream did not have it any more. */
  #highWatermarkId: string | null | undefined;
  #buffer: ReceivedEvent[] = [];
  #advancedAt = performance.now();
  /** Highest sequences one and two settle times ago. */
  #marks = { newer: 0, older: 0, since: performance.now() };
  #listener: StreamListener = { onEvent: () => {}, onLoss: () => {} };
  #stop: (() => void)[] = [];

  constructor(private readonly options: StreamWatchOptions) {}

  /** The highest sequence that this node has heard of. */
  readonly highWatermark = () => this.#highWatermark;

  /** A sequence up to which everything has certainly arrived. */
  readonly lowWatermark = () => this.#marks.older;

  /** Begins; rejects when the stream does not answer. */
  async start(listener: StreamListener): Promise<void> {
    const { messaging } = this.options;
    this.#listener = listener;
    const heartbeats = subscribeHeartbeats(messaging, (sequence, id) => {
      if (this.#state === "live") this.#advance(sequence, id);
    });
    const removeListener = messaging.onConnectionChange((connected) => {
      if (!connected) this.#state = "behind";
      else void this.#catchUp();
    });
    const { lastSequence } = await storedRange(messaging);
    this.#advance(lastSequence, await storedId(messaging, lastSequence));
    const timer = this.#keepAlive();
    this.#stop = [() => heartbeats.unsubscribe(), removeListener, () => clearInterval(timer)];
  }

  /** An event of any interest of this node. */
  readonly receive = (event: ReceivedEvent) => {
    if (event.stored === null) {
      this.#listener.onEvent(event, false);
    } else if (this.#state === "live") {
      this.#advance(event.stored.sequence, event.id);
      this.#listener.onEvent(event, false);
    } else if (this.#buffer.length < fillBufferMax) {
      this.#buffer.push({ ...event, id: event.id, body: Uint8Array.from(event.body) });
    } else {
      this.#buffer = [];
      this.#listener.onLoss("too many events waited for a gap to be filled");
    }
  };

  close(): void {
    for (const stop of this.#stop) stop();
  }

  /** Delivers what was missed, then what waited. Gives up when the connection is lost again; the next one starts anew. */
  async #catchUp(): Promise<void> {
    const { messaging, logger } = this.options;
    while (messaging.connected && this.#state === "behind") {
      try {
        // The client has subscribed again by the time this is answered, so nothing falls between reading and living.
        await messaging.ping(synchroniseTimeoutMs);
        await this.#readMissed();
        this.#goLive();
      } catch (err) {
        logger.warn({ err }, "missed events could not be read yet");
        await pause(retryPauseMs);
      }
    }
  }

  async #readMissed(): Promise<void> {
    const { messaging, metrics, logger } = this.options;
    const range = await storedRange(messaging);
    const loss = await this.#lossIn(range);
    // Asked before anything is read, so that a stream that goes once more meanwhile is noticed the next time.
    const lastId = await storedId(messaging, range.lastSequence);
    if (loss !== null) {
      this.#highWatermark = range.lastSequence;
      this.#highWatermarkId = lastId;
      this.#marks = { newer: 0, older: 0, since: performance.now() };
      this.#buffer = [];
      this.#listener.onLoss(loss);
      return;
    }
    const from = this.#highWatermark + 1;
    await readStored(messaging, { from, to: range.lastSequence }, (event) => {
      if (event.stored !== null) this.#advance(event.stored.sequence, event.id);
      this.#listener.onEvent(event, true);
    });
    this.#advance(range.lastSequence, lastId);
    metrics.gapsFilled += 1;
    logger.info({ from, to: range.lastSequence }, "missed events are delivered");
  }

  /** Why what was missed cannot be read, or null when it can. */
  async #lossIn({ firstSequence, lastSequence }: StoredRange): Promise<string | null> {
    const highWatermark = this.#highWatermark;
    if (lastSequence < highWatermark) return "the stream was created anew";
    if (
      highWatermark >= firstSequence &&
      (await storedId(this.options.messaging, highWatermark)) !== this.#highWatermarkId
    ) {
      return "the stream was created anew";
    }
    // Of a stream that has lost the known event to its age or size, the next one is what tells whether any is missing.
    return lastSequence > highWatermark && firstSequence > highWatermark + 1
      ? "the stream no longer has what was missed"
      : null;
  }

  #goLive(): void {
    const buffer = this.#buffer;
    this.#buffer = [];
    this.#state = "live";
    for (const event of buffer) this.receive(event);
  }

  #advance(sequence: number, id: string | null | undefined): void {
    if (sequence > this.#highWatermark) {
      this.#highWatermark = sequence;
      this.#highWatermarkId = id;
    }
    this.#advancedAt = performance.now();
    if (this.#advancedAt - this.#marks.since < lowWatermarkLagMs) return;
    this.#marks = { newer: this.#highWatermark, older: this.#marks.newer, since: this.#advancedAt };
  }

  /** A recent place in the stream means that little is read again after an outage. */
  #keepAlive(): NodeJS.Timeout {
    let idleLimitMs = heartbeatAfterMs;
    const timer = setInterval(() => {
      if (this.#state !== "live" || performance.now() - this.#advancedAt < idleLimitMs) return;
      idleLimitMs = heartbeatAfterMs + Math.random() * heartbeatJitterMs;
      publishHeartbeat(this.options.messaging);
    }, heartbeatCheckMs);
    timer.unref();
    return timer;
  }
}
