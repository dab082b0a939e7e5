import { setTimeout as pause } from "node:timers/promises";
import { retryPauseMs } from "../limits.js";

/**
 * A task of a {@link SerialQueue}. If it returns a promise, later tasks wait until it resolves; if the promise rejects,
 * the task is repeated after {@link retryPauseMs}. A task that throws synchronously is dropped.
 */
export type QueueTask = () => void | Promise<void>;

/** Runs tasks one at a time in the order of {@link add}; synchronously in `add` while the queue is idle. */
export class SerialQueue {
  #tasks: { run: QueueTask; onDropped: () => void }[] = [];
  #head = 0;
  #busy = false;
  #closed = false;

  /**
   * @param tasksMax limit of waiting tasks; the running one does not count
   * @param onOverflow called for each task that is dropped because the limit is reached
   * @param onFailure called with the error of a task that threw, or rejected and will be repeated
   */
  constructor(
    private readonly tasksMax: number,
    private readonly onOverflow: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.#busy;
  }

  /** @param onDropped called when the task will not run, because the queue is full or closed */
  add(task: QueueTask, onDropped = () => {}): void {
    if (this.#closed) {
      onDropped();
    } else if (!this.#busy) {
      const running = this.#start(task);
      if (running !== undefined) void this.#drain(running, task);
    } else if (this.#tasks.length - this.#head < this.tasksMax) {
      this.#tasks.push({ run: task, onDropped });
    } else {
      this.onOverflow();
      onDropped();
    }
  }

  /** Discards waiting tasks and all added later; the running task is not interrupted, and not repeated. */
  close(): void {
    const dropped = this.#tasks.slice(this.#head);
    this.#closed = true;
    this.#tasks = [];
    for (const { onDropped } of dropped) onDropped();
  }

  async #drain(first: Promise<void>, firstTask: QueueTask): Promise<void> {
    this.#busy = true;
    await this.#untilDone(first, firstTask);
    while (this.#head < this.#tasks.length && !this.#closed) {
      const task = this.#tasks[this.#head++];
      if (task === undefined) continue;
      const running = this.#start(task.run);
      if (running !== undefined) await this.#untilDone(running, task.run);
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
