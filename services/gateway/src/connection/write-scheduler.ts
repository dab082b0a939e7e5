import { flushPauseMsMax, flushSliceMax } from "../limits.js";
import { emptyBatch } from "./batch.js";

/** What can be written out: a connection. */
export interface Flushable {
  /** When the first waiting frame's event arrived, by `performance.now()`. */
  readonly waitingSince: number;
  /** Writes what waits. */
  flush(): void;
}

/**
 * Writes connections out: when idle as soon as what NATS delivered together has been passed on, and together with all
 * that came meanwhile when busy. Large flushes go in slices, between which the loop serves heartbeats and new events; a
 * connection that gets more frames before its slice is written once, one that was written already waits for the next
 * flush.
 *
 * After a flush the next one waits for as long as that one took, up to {@link flushPauseMsMax}: a write costs the same
 * however many frames it carries, so what gathers meanwhile is what keeps half of a busy processor free.
 */
export class WriteScheduler {
  /** To be written in the next flush. */
  #waiting: Flushable[] = [];
  /** Being written, from `head` on. */
  #flushing: Flushable[] = [];
  #head = 0;
  #scheduled = false;
  #startedAt = 0;
  #pauseUntil = 0;

  /** @param onSlice told once per slice: connections written to, and how long the first of them had waited */
  constructor(readonly onSlice: (connections: number, waitedMs: number) => void) {}

  /** Writes the connection in the next flush. */
  add(connection: Flushable): void {
    this.#waiting.push(connection);
    if (!this.#scheduled) this.#schedule();
  }

  #schedule(): void {
    this.#scheduled = true;
    const pauseMs = this.#pauseUntil - performance.now();
    // Not setImmediate: a turn in which thousands of sockets close takes long to end. A timer is no finer than a millisecond.
    if (pauseMs < 1) process.nextTick(this.#start);
    else setTimeout(this.#start, pauseMs);
  }

  readonly #start = () => {
    this.#startedAt = performance.now();
    this.#flushing = this.#waiting;
    this.#waiting = [];
    this.#head = 0;
    this.#writeSlice();
  };

  readonly #writeSlice = () => {
    const since = this.#flushing[this.#head]?.waitingSince ?? 0;
    const end = Math.min(this.#head + flushSliceMax, this.#flushing.length);
    const connections = end - this.#head;
    for (; this.#head < end; this.#head++) this.#flushing[this.#head]?.flush();
    const now = performance.now();
    if (connections > 0) this.onSlice(connections, now - since);
    if (this.#head < this.#flushing.length) {
      setImmediate(this.#writeSlice);
      return;
    }
    this.#flushing = [];
    this.#scheduled = false;
    this.#pauseUntil = now + Math.min(now - this.#startedAt, flushPauseMsMax);
    if (this.#waiting.length > 0) this.#schedule();
    else emptyBatch.forgetChildren();
  };
}

/** One for what people wait for, and one for what may wait: thousands of connections that are told who came and went. */
export interface WriteSchedulers {
  readonly highPriority: WriteScheduler;
  readonly lowPriority: WriteScheduler;
}
