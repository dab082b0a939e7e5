import { readySlowUsersMax } from "../limits.js";

/** Measured durations of READY builds, per user. */
export interface ReadyPace {
  /** The user's last build was for this user alone, and slow. */
  isSlow(userId: string): boolean;
  /** The user's last build was shared with other users, and slow. */
  isSuspect(userId: string): boolean;
  remember(userId: string, build: { tookMs: number; isAlone: boolean }): void;
}

/**
 * Keeps the users whose last build took `slowMs` or longer, at most {@link readySlowUsersMax}; beyond that, the oldest
 * entry is dropped. A shared `read` has one duration for all its users, so each of them whose build was slow is a
 * suspect until the next build, which is for that user alone.
 */
export function createReadyPace(slowMs: number): ReadyPace {
  const users = new Map<string, "slow" | "suspect">();
  return {
    isSlow: (userId) => users.get(userId) === "slow",
    isSuspect: (userId) => users.get(userId) === "suspect",
    remember(userId, { tookMs, isAlone }) {
      users.delete(userId);
      if (tookMs < slowMs) return;
      users.set(userId, isAlone ? "slow" : "suspect");
      const [oldest] = users.keys();
      if (users.size > readySlowUsersMax && oldest !== undefined) users.delete(oldest);
    },
  };
}
