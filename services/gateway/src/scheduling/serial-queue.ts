import { setTimeout as pause } from "node:timers/promises";
import { retryPauseMs } from "../limits.js";

/**
 * A step in a lane. One that returns a promise holds up those behind it, and is repeated when it rejects; one that
 * throws is dropped.
 */
export type QueueTask = () => void | Promise<void>;

/** Runs tasks one after the other in the order in which they came: at once while nothing waits. */
export class SerialQueue {
  #tasks: QueueTask[] = [];
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

  get isIdle(): boolean {
    return !this.#busy;
  }

  add(task: QueueTask): void {
    if (this.#closed) return;
    if (!this.#busy) {
      const running = this.#start(task);
      if (running !== undefined) void this.#drain(running, task);
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

  async #drain(first: Promise<void>, firstTask: QueueTask): Promise<void> {
    this.#busy = true;
    await this.#untilDone(first, firstTask);
    while (this.#head < this.#tasks.length && !this.#closed) {
      const task = this.#tasks[this.#head++];
      if (task === undefined) continue;
      const running = this.#start(task);
      if (running !== undefined) await this.#untilDone(running, task);
    }
    this.#tasks = [];
    this.#head = 0;
    this.#busy = false;
  }

  #start(task: QueueTask): void | Promise<void> {
    try {
      return task();
    } catch (error) {
      this.onFailure(error);
    }
  }

  async #untilDone(running: Promise<void>, task: QueueTask): Promise<void> {
    for (let attempt: void | Promise<void> = running; ; attempt = this.#start(task)) {
      try {
        await attempt;
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
