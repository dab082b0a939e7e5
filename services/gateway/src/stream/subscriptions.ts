import { type Messaging, type ReceivedEvent, storedRange, subscribeLive } from "@parley/messaging";
import { PendingEvents, type PendingListener } from "../cursors/pending-events.js";
import { synchroniseTimeoutMs } from "../limits.js";
import { StreamPosition } from "./stream-position.js";

/** One NATS subscription of this node, and its position in the stream. */
export interface Subscription {
  readonly position: StreamPosition;
  readonly pending: PendingEvents;
  unsubscribe(): void;
}

/** The NATS subscriptions of this node: for each server and user with local connections, and for co-members. */
export class Subscriptions {
  #unconfirmed: StreamPosition[] = [];
  #nextRound: Promise<void> | null = null;
  #currentRound: Promise<void> = Promise.resolve();

  /**
   * @param options.highWatermark the highest stream sequence that this node has received
   * @param options.pendingListener listener for changes of pending events
   * @param options.onEvent called for each event of any subscription, in order
   */
  constructor(
    private readonly options: {
      messaging: Messaging;
      highWatermark: () => number;
      pendingListener: PendingListener;
      onEvent: (event: ReceivedEvent) => void;
    },
  ) {}

  /** @param startAfter the sequence after which every event belongs to the subscription, if already known */
  add(pattern: string, startAfter?: number): Subscription {
    const { messaging, highWatermark, pendingListener, onEvent } = this.options;
    const position = new StreamPosition(highWatermark(), startAfter ?? null);
    if (startAfter === undefined) this.#unconfirmed.push(position);
    const liveSubscription = subscribeLive(messaging, pattern, onEvent);
    const pending = new PendingEvents(pattern, pendingListener);
    return {
      position,
      pending,
      unsubscribe() {
        liveSubscription.unsubscribe();
        pending.clear();
      },
    };
  }

  /** Resolves when NATS has processed every subscription made so far, or is unreachable. Never rejects. */
  confirmed(): Promise<void> {
    // The ping of the current round may precede the newest subscription, so new callers share the next round.
    this.#nextRound ??= this.#currentRound.then(() => this.#confirm());
    this.#currentRound = this.#nextRound;
    return this.#nextRound;
  }

  async #confirm(): Promise<void> {
    const positions = this.#unconfirmed;
    this.#unconfirmed = [];
    this.#nextRound = null;
    try {
      await this.options.messaging.ping(synchroniseTimeoutMs);
    } catch {
      // NATS is unreachable: the client restores its subscriptions when it reconnects, and StreamWatch fills the gap.
      return;
    }
    // Not awaited: callers need the subscription only, the sequence serves the detection of later gaps.
    void this.#setBases(positions);
  }

  async #setBases(positions: readonly StreamPosition[]): Promise<void> {
    if (positions.length === 0) return;
    try {
      const { lastSequence } = await storedRange(this.options.messaging);
      for (const position of positions) position.confirm(lastSequence);
    } catch {
      // Without the sequence, gaps are detected from the second event of each subject on.
    }
  }
}
