import { timeSliceMs } from "../limits.js";

/**
 * Does many small pieces of work in the order in which they come, a few milliseconds per turn of the event loop: when
 * thousands of connections begin or end at once, the others still get their events in between.
 */
export class TimeSlicedTasks {
  #tasks: (() => void)[] = [];
  #head = 0;
  #scheduled = false;
  #hasGrown = false;
  /** Until when it may wait, by `performance.now()`. */
  #coalesceUntil = 0;

  readonly #coalesceMs: number;

  /** @param options.gatheringMs while tasks are added in every turn, the first one waits so long; not at all by default */
  constructor({ coalesceMs = 0 }: { coalesceMs?: number } = {}) {
    this.#coalesceMs = coalesceMs;
  }

  /** Whether all is done. */
  get isIdle(): boolean {
    return !this.#scheduled;
  }

  /** @param task must not throw */
  add(task: () => void): void {
    this.#tasks.push(task);
    this.#hasGrown = true;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#hasGrown = false;
    this.#coalesceUntil = performance.now() + this.#coalesceMs;
    setImmediate(this.#run);
  }

  readonly #run = () => {
    const now = performance.now();
    if (!this.#hasGrown || now >= this.#coalesceUntil) this.#runUntil(now + timeSliceMs);
    this.#hasGrown = false;
    if (this.#head < this.#tasks.length) {
      setImmediate(this.#run);
      return;
    }
    this.#tasks = [];
    this.#head = 0;
    this.#scheduled = false;
  };

  #runUntil(deadline: number): void {
    do {
      this.#tasks[this.#head]?.();
      this.#head += 1;
    } while (this.#head < this.#tasks.length && performance.now() < deadline);
  }
}
