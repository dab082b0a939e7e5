/**
 * Runs the work of one user in the order in which it was asked for, that of different users side by side. A rejection
 * goes to its caller and does not keep the next one waiting.
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
