import type { PendingEvents } from "./pending-events.js";

/** The sequence of an event in the stream, and its id. */
export interface StoredAt {
  sequence: number;
  id: string | null | undefined;
}

/**
 * An event that is being sent to connections, as the frame that they get.
 *
 * @typeParam Stored null for an ephemeral event
 */
export interface DispatchedEvent<Stored extends StoredAt | null> {
  stored: Stored;
  /** The pending events of its subscription. */
  pending: PendingEvents;
  frame: Buffer;
  /** By `performance.now()`. */
  receivedAt: number;
  /** How many users on this node get it at most. */
  recipients: number;
}

type StoredEvent = DispatchedEvent<StoredAt>;

/**
 * The deferred events of one numbered connection: dispatched events that are not sent yet, because more subscriptions
 * are pending before them than a cursor has room for.
 */
export class DeferredEvents {
  /** Ascending by sequence. */
  readonly #events: StoredEvent[] = [];
  #byteLength = 0;

  /** The deferred event with the lowest sequence, which is sent first. */
  get next(): StoredEvent | undefined {
    return this.#events[0];
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  add(event: StoredEvent): void {
    let at = this.#events.length;
    while (at > 0 && (this.#events[at - 1]?.stored.sequence ?? 0) > event.stored.sequence) at -= 1;
    this.#events.splice(at, 0, event);
    this.#byteLength += event.frame.length;
  }

  removeNext(): void {
    this.#byteLength -= this.#events.shift()?.frame.length ?? 0;
  }

  /** Sequence of the first deferred event of each subscription, without {@link next} and those above `end`. */
  firstBehindNext(end: number): Map<PendingEvents, number> {
    const first = new Map<PendingEvents, number>();
    for (let at = 1; at < this.#events.length; at++) {
      const event = this.#events[at];
      if (event === undefined || event.stored.sequence > end) break;
      if (!first.has(event.pending)) first.set(event.pending, event.stored.sequence);
    }
    return first;
  }
}
