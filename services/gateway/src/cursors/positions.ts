import { type Cursors, type Position, shortHash } from "./cursor.js";
import type { StreamPlace } from "./held-events.js";
import type { PendingEvents, PendingListener } from "./pending-events.js";

/** A receiver of the events of some subscriptions. */
export interface Follower {
  followed(): Iterable<PendingEvents>;
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
export class Positions implements PendingListener {
  readonly #pending = new Set<PendingEvents>();
  #version = 0;
  #shared: { highest: number; version: number; text: string | null; lowest: number } | null = null;
  #complete: (StreamPlace & { second: number; text: string }) | null = null;
  /** Called when less may be pending than before. */
  onChange: () => void = () => {};

  constructor(
    private readonly cursors: Cursors,
    private readonly stream: StreamEnd,
  ) {}

  changed(events: PendingEvents): void {
    this.#version += 1;
    if (events.first === null && !events.isUnordered) this.#pending.delete(events);
    else this.#pending.add(events);
    this.onChange();
  }

  /**
   * The position after the event that is being passed on, for a user who is sent everything that is passed on. Null
   * when it has no room for all that is pending.
   *
   * @param cut what the user does not receive live, or received otherwise: nothing up to this sequence is pending
   */
  position(user: Follower, cut: number): string | null {
    const shared = this.#sharedPosition();
    if (shared.text !== null && shared.lowest > cut) return shared.text;
    return this.positionAt(this.#end(), user, cut, noneHeld);
  }

  /**
   * The position of a user who was sent nothing behind a place of the stream, and everything up to it that was passed
   * on but for what is held. Null when it has no room for all that is pending.
   *
   * @param held the first held event of each subscription
   */
  positionAt(end: StreamPlace, user: Follower, cut: number, held: ReadonlyMap<PendingEvents, number>): string | null {
    const pending = new Map<number, number>();
    for (const events of user.followed()) {
      if (events.isUnordered) return this.#write(end, null);
      const first = Math.min(events.first ?? Number.POSITIVE_INFINITY, held.get(events) ?? Number.POSITIVE_INFINITY);
      const from = Math.max(first, cut + 1);
      if (from <= end.sequence) pending.set(events.hash, from);
    }
    return this.#write(end, pending);
  }

  /** The position of a receiver that has everything up to the high watermark; the same for all who ask in one second. */
  completePosition(): string {
    const [end, second] = [this.#end(), nowInSeconds()];
    if (this.#complete?.sequence !== end.sequence || this.#complete.id !== end.id || this.#complete.second !== second) {
      this.#complete = { ...end, second, text: this.#write(end, new Map()) ?? "" };
    }
    return this.#complete.text;
  }

  /** For all users without a cut that concerns them, and without held events. Its text is null when it does not fit. */
  #sharedPosition() {
    const highest = this.stream.highWatermark();
    if (this.#shared?.highest === highest && this.#shared.version === this.#version) return this.#shared;
    const end = this.#end();
    let [lowest, isKnown] = [Number.POSITIVE_INFINITY, true];
    const pending = new Map<number, number>();
    for (const events of this.#pending) {
      isKnown &&= !events.isUnordered;
      const first = events.first ?? Number.POSITIVE_INFINITY;
      lowest = Math.min(lowest, first);
      if (first <= highest) pending.set(events.hash, first);
    }
    this.#shared = { highest, version: this.#version, lowest, text: isKnown ? this.#write(end, pending) : null };
    return this.#shared;
  }

  /** Null when it does not fit. */
  #write({ sequence, id }: StreamPlace, pending: Position["pending"]): string | null {
    return this.cursors.writePosition({ highest: sequence, anchor: anchorOf(id), writtenAt: nowInSeconds(), pending });
  }

  #end(): StreamPlace {
    return { sequence: this.stream.highWatermark(), id: this.stream.highWatermarkId() };
  }
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

const noneHeld: ReadonlyMap<PendingEvents, number> = new Map();

/** What a position holds of the id of the event at its end. */
export function anchorOf(id: string | null | undefined): number {
  return shortHash(id ?? "");
}
