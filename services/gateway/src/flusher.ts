import { emptyBatch } from "./batch.js";
import { flushSliceMax } from "./limits.js";

/** What can be written out: a connection. */
export interface Flushable {
  /** When the first waiting frame's event arrived, by `performance.now()`. */
  readonly waitingSince: number;
  /** Writes what waits. */
  flush(): void;
}

/**
 * Writes connections out at the end of the event loop's turn: at once when idle, and together with all that came
 * meanwhile when busy. Large flushes go in slices, between which the loop serves heartbeats and new events; a
 * connection that gets more frames before its slice is written once.
 */
export class Flusher {
  #waiting: Flushable[] = [];
  #head = 0;
  #scheduled = false;

  /** @param onSlice told once per slice: connections written to, and how long the first of them had waited */
  constructor(readonly onSlice: (connections: number, waitedMs: number) => void) {}

  /** Writes the connection in the next flush; the caller does not add it again before that. */
  add(connection: Flushable): void {
    this.#waiting.push(connection);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = () => {
    const first = this.#waiting[this.#head];
    const since = first?.waitingSince ?? 0;
    const end = Math.min(this.#head + flushSliceMax, this.#waiting.length);
    const connections = end - this.#head;
    for (; this.#head < end; this.#head++) this.#waiting[this.#head]?.flush();
    if (connections > 0) this.onSlice(connections, performance.now() - since);
    if (this.#head < this.#waiting.length) {
      setImmediate(this.#run);
      return;
    }
    this.#waiting = [];
    this.#head = 0;
    this.#scheduled = false;
    emptyBatch.forgetChildren();
  };
}
