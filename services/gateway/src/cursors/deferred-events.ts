import type { PendingEvents } from "./pending-events.js";

/** A place in the stream, and the id of the event there. */
export interface StreamPlace {
  sequence: number;
  id: string | null | undefined;
}

/**
 * An event that is being sent to connections, as the frame that they get.
 *
 * @typeParam Place null for an ephemeral event
 */
export interface PassedEvent<Place extends StreamPlace | null> {
  place: Place;
  /** The pending events of its subscription. */
  pending: PendingEvents;
  frame: Buffer;
  /** By `performance.now()`. */
  receivedAt: number;
  /** Whether it has many recipients, and therefore lower priority than events with few. */
  toMany: boolean;
}

type StoredEvent = PassedEvent<StreamPlace>;

/**
 * The held events of one numbered connection: passed events that are not sent yet, because more subscriptions are
 * pending before them than a cursor has room for.
 */
export class HeldEvents {
  /** Ascending by sequence. */
  readonly #events: StoredEvent[] = [];
  #byteLength = 0;

  /** The held event with the lowest sequence, which is sent first. */
  get next(): StoredEvent | undefined {
    return this.#events[0];
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  add(event: StoredEvent): void {
    let at = this.#events.length;
    while (at > 0 && (this.#events[at - 1]?.place.sequence ?? 0) > event.place.sequence) at -= 1;
    this.#events.splice(at, 0, event);
    this.#byteLength += event.frame.length;
  }

  removeNext(): void {
    this.#byteLength -= this.#events.shift()?.frame.length ?? 0;
  }

  /** Sequence of the first held event of each subscription, without {@link next} and those above `end`. */
  firstBehindNext(end: number): Map<PendingEvents, number> {
    const first = new Map<PendingEvents, number>();
    for (let at = 1; at < this.#events.length; at++) {
      const event = this.#events[at];
      if (event === undefined || event.place.sequence > end) break;
      if (!first.has(event.pending)) first.set(event.pending, event.place.sequence);
    }
    return first;
  }
}
