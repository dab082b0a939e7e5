import { type Messaging, type ReceivedEvent, storedRange, subscribeLive } from "@parley/messaging";
import { synchroniseTimeoutMs } from "../limits.js";
import { StreamPosition } from "./stream-position.js";

/** One subscription of this node, and how far it has come in the stream. */
export interface Subscription {
  readonly position: StreamPosition;
  unsubscribe(): void;
}

/** The subjects that this node needs: the first local member of a server subscribes, the last one leaves. */
export interface Subscriptions {
  /** @param countsFrom the sequence after which every event counts, when it is known already */
  add(pattern: string, startAfter?: number): Subscription;
  /** Resolves when every subscription made so far is in force, or when NATS is out of reach. Never rejects. */
  confirmed(): Promise<void>;
}

/**
 * @param options.knownSequence the highest sequence known to this node
 * @param options.onEvent called for each event of any interest, in order
 */
export function createSubscriptions(options: {
  messaging: Messaging;
  highWatermark: () => number;
  onEvent: (event: ReceivedEvent) => void;
}): Subscriptions {
  const { messaging, highWatermark, onEvent } = options;
  let unconfirmed: StreamPosition[] = [];
  let nextRound: Promise<void> | null = null;
  let currentRound: Promise<void> = Promise.resolve();

  async function confirm(): Promise<void> {
    const positions = unconfirmed;
    unconfirmed = [];
    nextRound = null;
    try {
      await messaging.ping(synchroniseTimeoutMs);
    } catch {
      // NATS is out of reach: the client subscribes again by itself when it is back, and the gap is filled then.
      return;
    }
    // Whoever waits needs the subscription only; the sequence is for noticing gaps later on.
    void setBases(positions);
  }

  async function setBases(positions: readonly StreamPosition[]): Promise<void> {
    if (positions.length === 0) return;
    try {
      const { lastSequence } = await storedRange(messaging);
      for (const position of positions) position.confirm(lastSequence);
    } catch {
      // Without it gaps are noticed from each subject's second event on.
    }
  }

  return {
    add(pattern, startAfter) {
      const position = new StreamPosition(highWatermark(), startAfter ?? null);
      if (startAfter === undefined) unconfirmed.push(position);
      const liveSubscription = subscribeLive(messaging, pattern, onEvent);
      return { position, unsubscribe: () => liveSubscription.unsubscribe() };
    },
    confirmed() {
      // A round that is under way may have begun before the newest subscription, so newcomers share the next one.
      nextRound ??= currentRound.then(confirm);
      currentRound = nextRound;
      return nextRound;
    },
  };
}
