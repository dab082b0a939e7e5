/** Accounts and addresses whose attempts one process keeps while Redis is unreachable. */
const localAttemptKeysMax = 100_000;

/** @param options.limits most attempts of each key within the window, in the order of the keys */
export function createLocalAttempts(options: { limits: readonly number[]; windowMs: number; keysMax?: number }) {
  const { limits, windowMs, keysMax = localAttemptKeysMax } = options;
  /** The latest attempts of each key, newest first; the least recently used key is evicted first. */
  const counted = new Map<string, { id: string; at: number }[]>();
  return {
    /** @returns milliseconds to wait, 0 when the attempt was counted, and the place of the key that they are due to */
    begin(keys: readonly string[], { id, now }: { id: string; now: number }): { waitMs: number; full: number } {
      const waits = keys.map((key, index) => {
        const oldest = counted.get(key)?.[(limits[index] ?? 0) - 1];
        return oldest === undefined ? 0 : oldest.at + windowMs - now;
      });
      const waitMs = Math.max(0, ...waits);
      if (waitMs > 0) return { waitMs, full: waits.indexOf(waitMs) };
      for (const [index, key] of keys.entries()) {
        const latest = [{ id, at: now }, ...(counted.get(key) ?? [])].slice(0, limits[index]);
        counted.delete(key);
        counted.set(key, latest);
      }
      for (const oldest of counted.keys()) {
        if (counted.size <= keysMax) break;
        counted.delete(oldest);
      }
      return { waitMs: 0, full: -1 };
    },
    succeed(keys: readonly string[], id: string): void {
      for (const key of keys) {
        const rest = counted.get(key)?.filter((attempt) => attempt.id !== id);
        if (rest === undefined) continue;
        if (rest.length > 0) counted.set(key, rest);
        else counted.delete(key);
      }
    },
  };
}

/** Attempts that this process counts while Redis is away. */
export type LocalAttempts = ReturnType<typeof createLocalAttempts>;
