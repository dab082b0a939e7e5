import { timeSliceMs } from "../limits.js";

/**
 * Runs short tasks in order for about {@link timeSliceMs} per turn of the event loop, so that thousands of connections
 * that open or close at once do not hold up the events of the others.
 *
 * Continuations of a promise that a task resolves run before the next task, and count as its time.
 */
export class TimeSlicedTasks {
  #tasks: (() => void)[] = [];
  #head = 0;
  #scheduled = false;
  #hasGrown = false;
  /** Ends of the coalescing period and of the present slice, by `performance.now()`. */
  #coalesceUntil = 0;
  #sliceUntil = 0;

  readonly #coalesceMs: number;
  readonly #growingSliceMs: number;

  /**
   * @param options.coalesceMs longest delay of the first task while every turn of the event loop adds more tasks;
   *   0, the default, for no delay
   * @param options.growingSliceMs length of a slice in a turn after one that added a task, {@link timeSliceMs} by
   * default
   */
  constructor({ coalesceMs = 0, growingSliceMs = timeSliceMs } = {}) {
    this.#coalesceMs = coalesceMs;
    this.#growingSliceMs = growingSliceMs;
  }

  /** Whether no task waits. */
  get isIdle(): boolean {
    return !this.#scheduled;
  }

  /** @param task must not throw */
  add(task: () => void): void {
    this.#hasGrown = this.#scheduled;
    this.#append(task);
  }

  /** Resolves when a task that had to wait for something may go on, behind all tasks that wait already. */
  enter(): Promise<void> {
    return new Promise((resolve) => this.#append(resolve));
  }

  #append(task: () => void): void {
    this.#tasks.push(task);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#coalesceUntil = performance.now() + this.#coalesceMs;
    setImmediate(this.#beginSlice);
  }

  readonly #beginSlice = () => {
    const now = performance.now();
    const hasGrown = this.#hasGrown;
    this.#hasGrown = false;
    if (hasGrown && now < this.#coalesceUntil) {
      setImmediate(this.#beginSlice);
      return;
    }
    this.#sliceUntil = now + (hasGrown ? this.#growingSliceMs : timeSliceMs);
    this.#runNext();
  };

  #runNext(): void {
    this.#tasks[this.#head]?.();
    this.#tasks[this.#head] = done;
    this.#head += 1;
    queueMicrotask(this.#afterTask);
  }

  /** Ticks are run when no microtask is left. */
  readonly #afterTask = () => process.nextTick(this.#goOn);

  readonly #goOn = () => {
    if (this.#head === this.#tasks.length) {
      this.#tasks = [];
      this.#head = 0;
      this.#scheduled = false;
    } else if (performance.now() < this.#sliceUntil) {
      this.#runNext();
    } else {
      setImmediate(this.#beginSlice);
    }
  };
}

/** Replaces a task that has run, so that the memory it references can be freed. */
const done = () => undefined;
