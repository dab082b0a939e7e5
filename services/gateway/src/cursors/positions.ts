import { type Cursors, type Position, shortHash } from "./cursor.js";
import type { StoredAt } from "./deferred-events.js";
import type { PendingEvents, PendingListener } from "./pending-events.js";

/** A user with the subscriptions whose events their connections receive. */
export interface Follower {
  followed(): Iterable<PendingEvents>;
}

/** The newest event of the stream that this node has received. */
export interface StreamEnd {
  highWatermark(): number;
  /** Id of the event at the high watermark; null or undefined when it has none. */
  highWatermarkId(): string | null | undefined;
}

/**
 * Computes positions: the part of a cursor that describes which events of the stream this node has dispatched
 * (docs/processes/gateway.md#continuing).
 *
 * A position states that every event up to its sequence was dispatched, except, for each subscription listed in it, the
 * events from the listed sequence on. The list is needed because the node has received everything up to the high
 * watermark, but the serial queues dispatch events independently, and one server's events overtake another's.
 *
 * A position has room for few subscriptions. Where more are pending, the methods return null.
 */
export class Positions implements PendingListener {
  readonly #pending = new Set<PendingEvents>();
  #version = 0;
  #shared: { highest: number; version: number; text: string | null; lowest: number } | null = null;
  #complete: (StoredAt & { second: number; text: string }) | null = null;
  /** Called after every change of the pending events, also when some are not pending any more. */
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
   * The position after the event that is being dispatched, for a connection that has no deferred events.
   *
   * @param boundary sequence at which the connection's live events begin; pending events up to it are not listed,
   * because the connection gets them by its replay or not at all
   */
  position(user: Follower, boundary: number): string | null {
    const shared = this.#sharedPosition();
    if (shared.text !== null && shared.lowest > boundary) return shared.text;
    return this.positionAt(this.#end(), user, boundary, noneDeferred);
  }

  /**
   * The position of a connection that was sent every dispatched event up to `end`, except its deferred events, and none
   * after.
   *
   * @param deferred sequence of the first deferred event of each subscription
   */
  positionAt(
    end: StoredAt,
    user: Follower,
    boundary: number,
    deferred: ReadonlyMap<PendingEvents, number>,
  ): string | null {
    const pending = new Map<number, number>();
    for (const events of user.followed()) {
      if (events.isUnordered) return this.#write(end, null);
      const first = Math.min(
        events.first ?? Number.POSITIVE_INFINITY,
        deferred.get(events) ?? Number.POSITIVE_INFINITY,
      );
      const from = Math.max(first, boundary + 1);
      if (from <= end.sequence) pending.set(events.hash, from);
    }
    return this.#write(end, pending);
  }

  /**
   * The position with no pending events, at the high watermark. Cached, as it is the same for all calls of one second.
   */
  completePosition(): string {
    const [end, second] = [this.#end(), nowInSeconds()];
    if (this.#complete?.sequence !== end.sequence || this.#complete.id !== end.id || this.#complete.second !== second) {
      this.#complete = { ...end, second, text: this.#write(end, new Map()) ?? "" };
    }
    return this.#complete.text;
  }

  /**
   * The position that lists the pending events of all subscriptions of the node, cached until one of them or the high
   * watermark changes. It is right for every connection without deferred events whose boundary is below `lowest`, the
   * first pending sequence. `text` is null when the list does not fit, or when a subscription is unordered.
   */
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

  /** Null when the list does not fit, or is null itself. */
  #write({ sequence, id }: StoredAt, pending: Position["pending"]): string | null {
    return this.cursors.writePosition({ highest: sequence, anchor: anchorOf(id), writtenAt: nowInSeconds(), pending });
  }

  #end(): StoredAt {
    return { sequence: this.stream.highWatermark(), id: this.stream.highWatermarkId() };
  }
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

const noneDeferred: ReadonlyMap<PendingEvents, number> = new Map();

/** Hash of the id of the event at a position's sequence; it identifies the stream. */
export function anchorOf(id: string | null | undefined): number {
  return shortHash(id ?? "");
}
