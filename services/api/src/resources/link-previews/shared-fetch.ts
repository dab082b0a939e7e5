import type { FairQueue } from "../../load/fair-queue.js";
import { usersWaitingPerPageMax } from "./limits.js";

/**
 * One fetch of a page, shared by all requests for the page until it ends. Up to {@link usersWaitingPerPageMax} users
 * wait for it in the queue, each behind their own requests. The fetch begins at the first turn of any of them, so a
 * user does not wait for the other requests of the user who requested the page first.
 */
export class SharedFetch<Result> {
  /** Rejects when the fetch fails, or when the queue has refused every user. */
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

  /** Adds a user who waits for a turn, unless the fetch has begun or enough users wait. */
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
