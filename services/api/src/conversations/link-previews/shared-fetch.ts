import type { FairQueue } from "../../platform/load/fair-queue.js";

/** Users who wait for a turn to fetch the same page; the others wait for theirs. */
const usersWaitingPerPageMax = 8;

/**
 * One fetch of a page, shared by all requests for the page until it ends. Up to {@link usersWaitingPerPageMax} users
 * wait for it in the queue, each behind their own requests. The fetch begins at the first turn of any of them, so a
 * user does not wait for the other requests of the user who requested the page first. It ends when all requests for it
 * have been given up.
 */
export class SharedFetch<Result> {
  /** Rejects when the fetch fails, when the queue has refused every user, and when the fetch is abandoned. */
  readonly result: Promise<Result>;
  readonly #queue: Pick<FairQueue, "run">;
  readonly #work: (signal: AbortSignal) => Promise<Result>;
  readonly #abandoned = new AbortController();
  readonly #users = new Set<string>();
  #requests = 0;
  #waiting = 0;
  #hasBegun = false;
  #resolve: (result: Result) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(queue: Pick<FairQueue, "run">, work: (signal: AbortSignal) => Promise<Result>) {
    this.#queue = queue;
    this.#work = work;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether all requests have been given up: the fetch has no result. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted;
  }

  /**
   * Adds a request. Its user waits for a turn, unless the fetch has begun or enough users wait.
   *
   * @param signal aborts when the request is given up
   */
  join(userId: string, signal: AbortSignal): void {
    this.#requests += 1;
    signal.addEventListener("abort", () => this.#leave(signal.reason), { once: true });
    if (this.#hasBegun || this.#users.has(userId) || this.#users.size >= usersWaitingPerPageMax) return;
    this.#users.add(userId);
    this.#waiting += 1;
    void this.#takeTurn(userId);
  }

  #leave(reason: unknown): void {
    this.#requests -= 1;
    if (this.#requests === 0) this.#abandoned.abort(reason);
  }

  async #takeTurn(userId: string): Promise<void> {
    const { signal } = this.#abandoned;
    const begin = async () => {
      if (this.#hasBegun) return;
      this.#hasBegun = true;
      this.#resolve(await this.#work(signal));
    };
    try {
      await this.#queue.run(userId, begin, signal);
      this.#waiting -= 1;
    } catch (error) {
      this.#waiting -= 1;
      if (this.#hasBegun || this.#waiting === 0) this.#reject(error);
    }
  }
}
