import { replayBytesPerSecondMax, replaysAtOnceMax } from "../limits.js";

/** The running and waiting replays of one user; exists while there are any, or the user rests. */
interface UserReplays {
  running: number;
  /** Oldest first. */
  waiting: (() => void)[];
  /** End of the user's rest, by `performance.now()`. */
  restUntil: number;
  isTimed: boolean;
}

/**
 * Limits the replays of one user on this node: {@link replaysAtOnceMax} at a time, and after each a rest in proportion
 * to its bytes, so that many connections of one account cannot draw more than {@link replayBytesPerSecondMax}. The
 * newest connection is served first, as older ones may have been given up. A user without a recent replay does not
 * wait.
 */
export function createReplayPace({ bytesPerSecond = replayBytesPerSecondMax } = {}) {
  const users = new Map<string, UserReplays>();

  function enter(userId: string): UserReplays {
    const known = users.get(userId);
    if (known !== undefined) return known;
    const user = { running: 0, waiting: [], restUntil: 0, isTimed: false };
    users.set(userId, user);
    return user;
  }

  function startWaiting(userId: string, user: UserReplays): void {
    if (user.isTimed) return;
    const restMs = user.restUntil - performance.now();
    if (restMs > 0) {
      user.isTimed = true;
      setTimeout(() => {
        user.isTimed = false;
        startWaiting(userId, user);
      }, restMs).unref();
      return;
    }
    while (user.running < replaysAtOnceMax) {
      const start = user.waiting.pop();
      if (start === undefined) break;
      user.running += 1;
      start();
    }
    if (user.running === 0) users.delete(userId);
  }

  return {
    /**
     * Runs the work when the user's turn has come.
     *
     * @param bytesOf the bytes that its result sends to the user
     */
    async run<T>(userId: string, work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T> {
      const user = enter(userId);
      await new Promise<void>((resolve) => {
        user.waiting.push(resolve);
        startWaiting(userId, user);
      });
      try {
        const result = await work();
        const restMs = (bytesOf(result) / bytesPerSecond) * 1_000;
        user.restUntil = Math.max(user.restUntil, performance.now()) + restMs;
        return result;
      } finally {
        user.running -= 1;
        startWaiting(userId, user);
      }
    },
  };
}
