import type { NewInteraction } from "./generated/index.js";
import type { ComponentInteraction, PressCollector, PressOptions } from "./interaction.js";

interface Collector extends PressOptions {
  readonly isAbout: (raw: NewInteraction) => boolean;
  readonly push: (press: ComponentInteraction) => void;
  readonly end: (failure: { readonly error: unknown } | null) => void;
}

/** Collectors of a bot that are not done. */
export class PressCollectors {
  readonly #open = new Set<Collector>();
  #over: { readonly error: unknown } | null = null;

  /** How many are not done. */
  get size(): number {
    return this.#open.size;
  }

  /** Gives a press to the collector that it is for; false when there is none. */
  take(press: ComponentInteraction): boolean {
    for (const { isAbout, filter, push, end } of this.#open) {
      if (!isAbout(press.raw)) continue;
      try {
        if (filter?.(press) === false) continue;
      } catch (error) {
        end({ error });
        continue;
      }
      push(press);
      return true;
    }
    return false;
  }

  /** Begins to collect at once, also before the caller asks for the first press. */
  collect(isAbout: Collector["isAbout"], options: PressOptions): PressCollector {
    const { timeMs, max = Number.POSITIVE_INFINITY, signal } = options;
    const presses: ComponentInteraction[] = [];
    let waiting: Waiting[] = [];
    let ended: { readonly failure: { readonly error: unknown } | null } | null = null;
    let count = 0;
    const answer = () => {
      while (waiting.length > 0) {
        const press = presses.shift();
        if (press === undefined && ended === null) return;
        const next = waiting.shift();
        if (press !== undefined) next?.resolve({ done: false, value: press });
        else if (ended?.failure == null) next?.resolve({ done: true, value: undefined });
        else next?.reject(ended.failure.error);
      }
    };
    const collector: Collector = {
      ...options,
      isAbout,
      push: (press) => {
        presses.push(press);
        count += 1;
        if (count >= max) collector.end(null);
        answer();
      },
      end: (failure) => {
        if (!this.#open.delete(collector)) return;
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        ended = { failure };
        answer();
      },
    };
    const onAbort = () => collector.end(null);
    const timer = setTimeout(onAbort, timeMs);
    this.#open.add(collector);
    signal?.addEventListener("abort", onAbort);
    if (this.#over !== null) collector.end(this.#over);
    if (signal?.aborted || max < 1) onAbort();
    return {
      next: () =>
        new Promise((resolve, reject) => {
          waiting = [...waiting, { resolve, reject }];
          answer();
        }),
      return: async () => {
        collector.end(null);
        presses.length = 0;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Ends all with an error, and those that begin later. */
  end(error: unknown): void {
    this.#over = { error };
    for (const { end } of [...this.#open]) end(this.#over);
  }
}

/** A caller that waits for the next press. */
interface Waiting {
  readonly resolve: (result: IteratorResult<ComponentInteraction>) => void;
  readonly reject: (error: unknown) => void;
}
