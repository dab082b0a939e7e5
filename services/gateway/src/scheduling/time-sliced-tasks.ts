import { timeSliceMs } from "../limits.js";

/**
 * Runs short tasks in order for about {@link timeSliceMs} per turn of the event loop, so that thousands of
 * connections that open or close at once do not hold up the events of the others.
 */
export class TimeSlicedTasks {
  #tasks: (() => void)[] = [];
  #head = 0;
  #scheduled = false;
  #hasGrown = false;
  /** End of the coalescing period, by `performance.now()`. */
  #coalesceUntil = 0;

  readonly #coalesceMs: number;

  /**
   * @param options.coalesceMs longest delay of the first task while every turn of the event loop adds more tasks;
   *   0, the default, for no delay
   */
  constructor({ coalesceMs = 0 }: { coalesceMs?: number } = {}) {
    this.#coalesceMs = coalesceMs;
  }

  /** Whether no task waits. */
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
