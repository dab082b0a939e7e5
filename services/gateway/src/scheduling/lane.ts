import { setTimeout as pause } from "node:timers/promises";
import { retryPauseMs } from "../limits.js";

/**
 * A step in a lane. One that returns a promise holds up those behind it, and is repeated when it rejects; one that
 * throws is dropped.
 */
export type LaneTask = () => void | Promise<void>;

/** Runs tasks one after the other in the order in which they came: at once while nothing waits. */
export class Lane {
  #tasks: LaneTask[] = [];
  #head = 0;
  #busy = false;
  #closed = false;

  /**
   * @param tasksMax most that may wait
   * @param onOverflow called instead of adding one more
   * @param onFailure told about a task that threw, or rejected and will be repeated
   */
  constructor(
    private readonly tasksMax: number,
    private readonly onOverflow: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  get idle(): boolean {
    return !this.#busy;
  }

  add(task: LaneTask): void {
    if (this.#closed) return;
    if (!this.#busy) {
      const work = this.#begin(task);
      if (work !== undefined) void this.#work(work, task);
    } else if (this.#tasks.length - this.#head < this.tasksMax) {
      this.#tasks.push(task);
    } else {
      this.onOverflow();
    }
  }

  /** Nothing runs any more. */
  close(): void {
    this.#closed = true;
    this.#tasks = [];
  }

  async #work(first: Promise<void>, firstTask: LaneTask): Promise<void> {
    this.#busy = true;
    await this.#finish(first, firstTask);
    while (this.#head < this.#tasks.length && !this.#closed) {
      const task = this.#tasks[this.#head++];
      if (task === undefined) continue;
      const work = this.#begin(task);
      if (work !== undefined) await this.#finish(work, task);
    }
    this.#tasks = [];
    this.#head = 0;
    this.#busy = false;
  }

  #begin(task: LaneTask): void | Promise<void> {
    try {
      return task();
    } catch (error) {
      this.onFailure(error);
    }
  }

  async #finish(work: Promise<void>, task: LaneTask): Promise<void> {
    for (let running: void | Promise<void> = work; ; running = this.#begin(task)) {
      try {
        await running;
        return;
      } catch (error) {
        if (this.#closed) return;
        this.onFailure(error);
        await pause(retryPauseMs);
        if (this.#closed) return;
      }
    }
  }
}
