import type { FairQueue } from "../load/fair-queue.js";
import { usersWaitingPerPageMax } from "./limits.js";

/**
 * One fetch of a page for everybody who asks for it meanwhile. Users wait in turn, each behind their own requests, so the
 * fetch begins at the first turn of any of them: who asks for a page that waits behind many of another user's does not
 * wait for those.
 */
export class SharedFetch<Result> {
  /** Rejects when the fetch fails, or when nobody who waits for a turn is left. */
  readonly result: Promise<Result>;
  readonly #queue: Pick<FairQueue, "run">;
  readonly #work: () => Promise<Result>;
  readonly #users = new Set<string>();
  #waiting = 0;
  #hasBegun = false;
  #resolve: (result: Result) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(queue: Pick<FairQueue, "run">, work: () => Promise<Result>) {
    this.#queue = queue;
    this.#work = work;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Lets a user wait for a turn, unless the fetch has begun. A page has many readers, of whom a few wait. */
  join(userId: string): void {
    if (this.#hasBegun || this.#users.has(userId) || this.#users.size >= usersWaitingPerPageMax) return;
    this.#users.add(userId);
    this.#waiting += 1;
    void this.#takeTurn(userId);
  }

  async #takeTurn(userId: string): Promise<void> {
    try {
      await this.#queue.run(userId, async () => {
        if (this.#hasBegun) return;
        this.#hasBegun = true;
        this.#resolve(await this.#work());
      });
      this.#waiting -= 1;
    } catch (error) {
      this.#waiting -= 1;
      if (this.#hasBegun || this.#waiting === 0) this.#reject(error);
    }
  }
}
