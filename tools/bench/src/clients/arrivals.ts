import { clockMs } from "../measure.js";

const checkMs = 100;

/** The frames that the clients of a process got, and their times. */
export class Arrivals {
  #counted = 0;
  #lastAt = 0;
  #isTimed = false;
  #clients: number[] = [];
  #events: number[] = [];
  #at: number[] = [];
  #awaited = Number.POSITIVE_INFINITY;
  #onAwaited = () => {};

  /** Forgets earlier arrivals. */
  begin(isTimed = true): void {
    this.#counted = 0;
    this.#isTimed = isTimed;
    [this.#clients, this.#events, this.#at] = [[], [], []];
  }

  /** Events of successive numbers have come to a client. */
  add(client: number, first: number, count = 1): void {
    this.#lastAt = clockMs();
    for (let event = first; this.#isTimed && event < first + count; event += 1) {
      this.#clients.push(client);
      this.#events.push(event);
      this.#at.push(this.#lastAt);
    }
    this.#counted += count;
    if (this.#counted >= this.#awaited) this.#onAwaited();
  }

  /** Resolves when so many events have come since the beginning, or none has for a while. */
  async collect(events: number, quietMs: number) {
    const startedAt = clockMs();
    await new Promise<void>((resolve) => {
      this.#awaited = events;
      const check = setInterval(() => {
        if (clockMs() - Math.max(startedAt, this.#lastAt) > quietMs) this.#onAwaited();
      }, checkMs);
      this.#onAwaited = () => {
        clearInterval(check);
        this.#awaited = Number.POSITIVE_INFINITY;
        resolve();
      };
      if (this.#counted >= events) this.#onAwaited();
    });
    return {
      counted: this.#counted,
      lastAt: this.#lastAt,
      /** When timed, each arrival: which client, which event, when. */
      clients: Uint32Array.from(this.#clients),
      events: Uint32Array.from(this.#events),
      arrivedAt: Float64Array.from(this.#at),
    };
  }
}
