import { readySlowUsersMax } from "../limits.js";

/**
 * Measured durations of READY builds: the users whose last build took `slowMs` or longer, at most
 * {@link readySlowUsersMax}; beyond that, the oldest entry is dropped. A shared `read` has one duration for all its
 * users, so each of them whose build was slow is a suspect until the next build, which is for that user alone.
 */
export class ReadyPace {
  readonly #users = new Map<string, "slow" | "suspect">();

  constructor(private readonly slowMs: number) {}

  /** The user's last build was for this user alone, and slow. */
  isSlow(userId: string): boolean {
    return this.#users.get(userId) === "slow";
  }

  /** The user's last build was shared with other users, and slow. */
  isSuspect(userId: string): boolean {
    return this.#users.get(userId) === "suspect";
  }

  remember(userId: string, { tookMs, isAlone }: { tookMs: number; isAlone: boolean }): void {
    this.#users.delete(userId);
    if (tookMs < this.slowMs) return;
    this.#users.set(userId, isAlone ? "slow" : "suspect");
    const [oldest] = this.#users.keys();
    if (this.#users.size > readySlowUsersMax && oldest !== undefined) this.#users.delete(oldest);
  }
}
