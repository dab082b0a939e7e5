import { flushBurstMs, flushPauseMsMax, flushSliceBytesMax, flushSliceMax, largeFlushPauseMsMax } from "../limits.js";
import { emptyBatch, emptyNumberedBatch, emptyNumberedViewBatch } from "./frames.js";

/** The part of a connection that the scheduler uses. */
export interface Flushable {
  /** When the event of the first waiting frame was received, by `performance.now()`. */
  readonly waitingSince: number;
  /** Writes all waiting frames. @returns their bytes */
  flush(): number;
}

/**
 * Schedules the writes of connections with waiting frames.
 *
 * An idle scheduler flushes at the end of the current turn of the event loop, after the events that NATS delivered
 * together. A flush runs in slices of {@link flushSliceMax} connections or {@link flushSliceBytesMax}, with a turn of
 * the event loop between two of them for heartbeats and new events. A connection that gets further frames before its
 * slice writes them in the same write; after its slice it waits for the next flush.
 *
 * Once flushes have taken more than half of the time for {@link flushBurstMs}, the pause between two is as long as the former
 * took, at most {@link flushPauseMsMax} by default. A write costs the same whatever the number of its frames, so
 * coalescing them during the pause keeps half of a busy processor free.
 */
export class WriteScheduler {
  /** Connections of the next flush. */
  #waiting: Flushable[] = [];
  /** Connections of the current flush; those from `head` on are still to be written. */
  #flushing: Flushable[] = [];
  #head = 0;
  #scheduled = false;
  #startedAt = 0;
  #pauseUntil = 0;
  /** When flushes will have taken half of the time, if none follows. */
  #balancedAt = 0;

  #isCorked = false;

  /**
   * @param onSlice called for each slice with its number of connections, how long the first of them had waited, and its
   *   {@link Flushable.waitingSince}
   */
  constructor(
    readonly onSlice: (connections: number, waitedMs: number, since: number) => void,
    private readonly pauseMsMax = flushPauseMsMax,
  ) {}

  /** Adds the connection to the next flush. */
  add(connection: Flushable): void {
    this.#waiting.push(connection);
    this.#schedule();
  }

  /** Begins no further flush until {@link uncork}, so that all frames sent meanwhile are written together. */
  cork(): void {
    this.#isCorked = true;
  }

  uncork(): void {
    this.#isCorked = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#isCorked) return;
    this.#scheduled = true;
    const pauseMs = this.#pauseUntil - performance.now();
    // Not setImmediate: a turn in which thousands of sockets close is long. Below a millisecond, timers are too coarse.
    if (pauseMs < 1) process.nextTick(this.#start);
    else setTimeout(this.#start, pauseMs);
  }

  readonly #start = () => {
    if (this.#isCorked) {
      this.#scheduled = false;
      return;
    }
    this.#startedAt = performance.now();
    this.#flushing = this.#waiting;
    this.#waiting = [];
    this.#head = 0;
    this.#writeSlice();
  };

  readonly #writeSlice = () => {
    const since = this.#flushing[this.#head]?.waitingSince ?? 0;
    const start = this.#head;
    const end = Math.min(start + flushSliceMax, this.#flushing.length);
    let bytes = 0;
    while (this.#head < end && bytes <= flushSliceBytesMax) bytes += this.#flushing[this.#head++]?.flush() ?? 0;
    const connections = this.#head - start;
    const now = performance.now();
    if (connections > 0) this.onSlice(connections, now - since, since);
    if (this.#head < this.#flushing.length) {
      setImmediate(this.#writeSlice);
      return;
    }
    this.#flushing = [];
    this.#scheduled = false;
    this.#pause(now);
    if (this.#waiting.length > 0) this.#schedule();
    else {
      emptyBatch.forgetChildren();
      emptyNumberedBatch.forgetChildren();
      emptyNumberedViewBatch.forgetChildren();
    }
  };

  #pause(now: number): void {
    const tookMs = now - this.#startedAt;
    const balancedAt = Math.max(this.#startedAt, this.#balancedAt) + 2 * tookMs;
    this.#balancedAt = Math.min(balancedAt, now + flushBurstMs + tookMs);
    this.#pauseUntil = Math.min(this.#balancedAt - flushBurstMs, now + this.pauseMsMax);
  }
}

/**
 * Each writes one slice in a turn of the event loop, whatever waits in the others: frames of a small server do not wait
 * behind the thousands of connections that an event of a large one reaches. A connection with frames of several
 * priorities writes them all in their order when the first of its schedulers comes to it.
 */
export interface WriteSchedulers {
  /** For events with few recipients. */
  readonly highPriority: WriteScheduler;
  /** For events with more than `fewRecipientsMax` of them, and for connections that open or have drained. */
  readonly mediumPriority: WriteScheduler;
  /** For presence: its frames grow with the square of a server's connections, and may be delayed. */
  readonly lowPriority: WriteScheduler;
}

/** @param onSlice see {@link WriteScheduler}; low priority is delayed on purpose, and not observed */
export function createWriteSchedulers(onSlice: WriteScheduler["onSlice"] = () => undefined): WriteSchedulers {
  return {
    highPriority: new WriteScheduler(onSlice),
    mediumPriority: new WriteScheduler(onSlice, largeFlushPauseMsMax),
    lowPriority: new WriteScheduler(() => undefined),
  };
}
