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
import { StreamBarrier } from "./barrier.js";

interface StreamWatchOptions {
  messaging: Messaging;
  metrics: GatewayMetrics;
  logger: Logger;
}

/** Receives events in order, live or recovered, and a notification when events are permanently lost. */
export interface StreamListener {
  onEvent(event: ReceivedEvent): void;
  onLoss(reason: string): void;
}

/**
 * This node's position in the stream EVENTS.
 *
 * live   → behind   the connection to NATS is lost
 * behind → live     it is restored, and the missed events are delivered
 *
 * While behind, stored events that arrive are buffered until the missed ones are delivered. Ephemeral events never
 * wait.
 */
export class StreamWatch {
  #state: "live" | "behind" = "live";
  #highWatermark = 0;
  /** Id of the event with that sequence; undefined if the stream no longer had it. */
  #highWatermarkId: string | null | undefined;
  #buffer: ReceivedEvent[] = [];
  #advancedAt = performance.now();
  /** High watermarks at the beginning of the present and of the previous period of {@link lowWatermarkLagMs}. */
  #marks = { newer: 0, older: 0, since: performance.now() };
  #listener: StreamListener = { onEvent: () => {}, onLoss: () => {} };
  #stop: (() => void)[] = [];
  readonly #barrier: StreamBarrier;

  constructor(private readonly options: StreamWatchOptions) {
    this.#barrier = new StreamBarrier(options.messaging);
  }

  /** The highest stream sequence that this node has received or read. */
  readonly highWatermark = () => this.#highWatermark;

  /** The id of the event with that sequence; undefined when the stream no longer had it. */
  readonly highWatermarkId = () => this.#highWatermarkId;

  /**
   * Waits until this node has received, on every subscription made before the call, the events stored before the call.
   *
   * @returns false when that is uncertain, because NATS is out of reach or missed events are still being read
   */
  readonly synchronise = async () => this.#state === "live" && (await this.#barrier.wait());

  /** A sequence up to which every event has certainly been received. */
  readonly lowWatermark = () => this.#marks.older;

  /** Starts to follow the stream; rejects when it does not answer. */
  async start(listener: StreamListener): Promise<void> {
    const { messaging } = this.options;
    this.#listener = listener;
    const heartbeats = subscribeHeartbeats(messaging, (sequence, id) => {
      if (this.#state !== "live") return;
      this.#advance(sequence, id);
      this.#barrier.received(id);
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

  /** Takes an event of any subscription of this node. */
  readonly receive = (event: ReceivedEvent) => {
    if (event.stored === null) {
      this.#listener.onEvent(event);
    } else if (this.#state === "live") {
      this.#advance(event.stored.sequence, event.id);
      this.#listener.onEvent(event);
    } else if (this.#buffer.length < fillBufferMax) {
      this.#buffer.push(event);
    } else {
      this.#buffer = [];
      this.#listener.onLoss("too many events waited for a gap to be filled");
    }
  };

  close(): void {
    for (const stop of this.#stop) stop();
  }

  /**
   * Delivers the missed events, then the buffered ones. Ends when the connection is lost; the next one starts it again.
   */
  async #catchUp(): Promise<void> {
    const { messaging, logger } = this.options;
    const lost = messaging.connectionLost;
    while (!lost.aborted && this.#state === "behind") {
      try {
        // Its answer proves that the client's subscriptions are restored, so no event falls between the read and the
        // live events.
        await messaging.ping(synchroniseTimeoutMs);
        await this.#readMissed();
        lost.throwIfAborted();
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
    // Read before the events: if the stream is replaced during the read, the next check detects it by the id.
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
      this.#listener.onEvent(event);
    });
    this.#advance(range.lastSequence, lastId);
    metrics.gapsFilled += 1;
    logger.info({ from, to: range.lastSequence }, "missed events are delivered");
  }

  /** Why the missed events cannot be read, or null when they can. */
  async #lossIn({ firstSequence, lastSequence }: StoredRange): Promise<string | null> {
    const highWatermark = this.#highWatermark;
    if (lastSequence < highWatermark) return "the stream was created anew";
    if (
      highWatermark >= firstSequence &&
      (await storedId(this.options.messaging, highWatermark)) !== this.#highWatermarkId
    ) {
      return "the stream was created anew";
    }
    // If the last received event has expired (age or size of the stream), events are missing if its successor has too.
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

  /** Publishes heartbeats on an idle stream: a recent high watermark keeps the read after an outage short. */
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
