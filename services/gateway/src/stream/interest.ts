import { type Messaging, type ReceivedEvent, storedRange, subscribeLive } from "@parley/messaging";
import { synchroniseTimeoutMs } from "../limits.js";
import { StreamPosition } from "./stream-position.js";

/** One subscription of this node, and how far it has come in the stream. */
export interface Interest {
  readonly position: StreamPosition;
  end(): void;
}

/** The subjects that this node needs: the first local member of a server subscribes, the last one leaves. */
export interface Interests {
  /** @param countsFrom the sequence after which every event counts, when it is known already */
  add(pattern: string, countsFrom?: number): Interest;
  /** Resolves when every subscription made so far is in force, or when NATS is out of reach. Never rejects. */
  inForce(): Promise<void>;
}

/**
 * @param options.knownSequence the highest sequence known to this node
 * @param options.onEvent called for each event of any interest, in order
 */
export function createInterests(options: {
  messaging: Messaging;
  knownSequence: () => number;
  onEvent: (event: ReceivedEvent) => void;
}): Interests {
  const { messaging, knownSequence, onEvent } = options;
  let unconfirmed: StreamPosition[] = [];
  let next: Promise<void> | null = null;
  let current: Promise<void> = Promise.resolve();

  async function confirm(): Promise<void> {
    const positions = unconfirmed;
    unconfirmed = [];
    next = null;
    try {
      await messaging.ping(synchroniseTimeoutMs);
    } catch {
      // NATS is out of reach: the client subscribes again by itself when it is back, and the gap is filled then.
      return;
    }
    // Whoever waits needs the subscription only; the sequence is for noticing gaps later on.
    void confirmPositions(positions);
  }

  async function confirmPositions(positions: readonly StreamPosition[]): Promise<void> {
    if (positions.length === 0) return;
    try {
      const { lastSequence } = await storedRange(messaging);
      for (const position of positions) position.confirm(lastSequence);
    } catch {
      // Without it gaps are noticed from each subject's second event on.
    }
  }

  return {
    add(pattern, countsFrom) {
      const position = new StreamPosition(knownSequence(), countsFrom ?? null);
      if (countsFrom === undefined) unconfirmed.push(position);
      const subscription = subscribeLive(messaging, pattern, onEvent);
      return { position, end: () => subscription.unsubscribe() };
    },
    inForce() {
      // A round that is under way may have begun before the newest subscription, so newcomers share the next one.
      next ??= current.then(confirm);
      current = next;
      return next;
    },
  };
}
