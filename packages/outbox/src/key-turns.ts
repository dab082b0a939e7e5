/**
 * One holder of a key at a time within the process, in order of arrival. Waiters of the same process wait in
 * memory, so a key costs at most one database connection.
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

  /** @returns whether the key was free, and is the caller's now */
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
