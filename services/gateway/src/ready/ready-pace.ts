import { readySlowUsersMax } from "../limits.js";

/** What is known of how long the READY of users takes. */
export interface ReadyPace {
  /** The last build of this user alone was slow. */
  isSlow(userId: string): boolean;
  /** A slow build was shared by this user, who was not built alone since. */
  isSuspect(userId: string): boolean;
  remember(userId: string, build: { tookMs: number; isAlone: boolean }): void;
}

/**
 * Remembers users whose last build took `slowMs` or longer, {@link readySlowUsersMax} at most: beyond, the oldest are
 * forgotten. Of a shared build it cannot be told whose part took that long, so all who shared it are suspects until
 * they are built alone.
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
