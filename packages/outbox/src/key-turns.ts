/**
 * Mutual exclusion per key within one process, first come, first served. Callers wait in memory, so a contended key
 * occupies at most one database connection of the process.
 */
export class KeyTurns {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when it is the caller's turn. */
  take(key: string): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    this.#waiting.set(key, []);
    return Promise.resolve();
  }

  /** Takes the turn if the key is free. @returns whether it was */
  tryTake(key: string): boolean {
    if (this.#waiting.has(key)) return false;
    this.#waiting.set(key, []);
    return true;
  }

  free(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}
