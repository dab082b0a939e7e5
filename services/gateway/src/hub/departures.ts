import type { ReceivedEvent } from "@parley/messaging";
import type { SerialQueue } from "../scheduling/serial-queue.js";

/** The leaves of one server that were received and wait in its queue. */
export class Departures {
  readonly #waiting = new Map<() => void, number>();

  constructor(private readonly queue: Pick<SerialQueue, "add">) {}

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Queues a leave.
   *
   * @param onDropped called when it will not be applied, because the queue is full or closed
   */
  add({ stored }: ReceivedEvent, apply: () => void, onDropped = () => {}): void {
    this.#waiting.set(apply, stored?.sequence ?? Number.POSITIVE_INFINITY);
    this.queue.add(
      () => this.#apply(apply),
      () => {
        this.#waiting.delete(apply);
        onDropped();
      },
    );
  }

  /** Applies those that precede an event in the stream, though they follow it in the queue. */
  applyBefore({ stored }: ReceivedEvent): void {
    if (stored === null) return;
    for (const [apply, sequence] of this.#waiting) if (sequence < stored.sequence) this.#apply(apply);
  }

  #apply(apply: () => void): void {
    if (this.#waiting.delete(apply)) apply();
  }
}
