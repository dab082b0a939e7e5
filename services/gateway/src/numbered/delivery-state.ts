import { type Cursors, type Position, shortHash } from "./cursor.js";
import type { PendingEvents, PendingListener } from "./pending-events.js";

/** Somebody who receives the events of some subscriptions. */
export interface Follower {
  follows(events: PendingEvents): boolean;
}

/** The newest stored event that this node has received. */
export interface StreamEnd {
  highWatermark(): number;
  /** Its id; null or undefined without one. */
  highWatermarkId(): string | null | undefined;
}

/**
 * What this node has passed on of the stream, as the positions in cursors say it.
 *
 * Everything up to the high watermark was received. Serial queues pass events on independently, so what still waits in
 * some of them is named; positions are exact although one server's events overtake another's
 * (docs/architecture.md#continuing).
 */
export class DeliveryState implements PendingListener {
  readonly #pending = new Set<PendingEvents>();
  #version = 0;
  #shared: { highest: number; version: number; text: string | null; lowest: number } | null = null;

  constructor(
    private readonly cursors: Cursors,
    private readonly stream: StreamEnd,
  ) {}

  changed(events: PendingEvents): void {
    this.#version += 1;
    if (events.first === null && !events.isUnordered) this.#pending.delete(events);
    else this.#pending.add(events);
  }

  /**
   * The position after the event that is being passed on, for a user.
   *
   * @param cut what the user does not receive live, or received otherwise: nothing up to this sequence is pending
   */
  position(user: Follower, cut: number): string {
    const shared = this.#sharedPosition();
    if (shared.text !== null && shared.lowest > cut) return shared.text;
    return (
      this.#write(
        [...this.#pending].filter((events) => user.follows(events)),
        cut,
      ) ?? this.#unknown()
    );
  }

  /** The position of somebody who has everything up to the high watermark. */
  completePosition(): string {
    return this.#write([], 0) ?? this.#unknown();
  }

  #sharedPosition() {
    const highest = this.stream.highWatermark();
    if (this.#shared?.highest === highest && this.#shared.version === this.#version) return this.#shared;
    const pending = [...this.#pending];
    const lowest = Math.min(...pending.map(({ first }) => first ?? Number.POSITIVE_INFINITY));
    this.#shared = { highest, version: this.#version, lowest, text: this.#write(pending, 0) };
    return this.#shared;
  }

  /** Null when it does not fit, or is unknown. */
  #write(subscriptions: readonly PendingEvents[], cut: number): string | null {
    const end = this.#end();
    const pending = new Map<number, number>();
    for (const events of subscriptions) {
      if (events.isUnordered) return null;
      const from = Math.max(events.first ?? Number.POSITIVE_INFINITY, cut + 1);
      if (from <= end.highest) pending.set(events.hash, from);
    }
    return this.cursors.writePosition({ ...end, pending });
  }

  #unknown(): string {
    return this.cursors.writePosition({ ...this.#end(), pending: null }) ?? "";
  }

  #end(): Omit<Position, "pending"> {
    return {
      highest: this.stream.highWatermark(),
      anchor: anchorOf(this.stream.highWatermarkId()),
      writtenAt: Math.floor(Date.now() / 1_000),
    };
  }
}

/** What a position holds of the id of the event at its end. */
export function anchorOf(id: string | null | undefined): number {
  return shortHash(id ?? "");
}
