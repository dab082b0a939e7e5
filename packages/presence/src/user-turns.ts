/**
 * Runs the work of one user in the order of the calls, that of different users concurrently. A rejection goes to its
 * caller and does not stop the work behind it.
 */
export function createUserTurns() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
      const before = last.get(userId);
      const mine = before === undefined ? work() : before.then(work, work);
      last.set(userId, mine);
      try {
        return await mine;
      } finally {
        if (last.get(userId) === mine) last.delete(userId);
      }
    },
    /** Resolves when nothing is under way. */
    async end(): Promise<void> {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
