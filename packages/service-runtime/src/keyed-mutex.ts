/** Mutual exclusion per key within one process, first come, first served. Callers wait in memory. */
export class KeyedMutex {
  /** The callers that wait for each locked key. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when the key is locked for the caller. */
  lock(key: string): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    this.#waiting.set(key, []);
    return Promise.resolve();
  }

  /** Locks the key if it is free. @returns whether it was */
  tryLock(key: string): boolean {
    if (this.#waiting.has(key)) return false;
    this.#waiting.set(key, []);
    return true;
  }

  unlock(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }

  /** Runs work under the lock of the key, at once if that is free. A rejection does not stop the work behind it. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.tryLock(key)) await this.lock(key);
    try {
      return await work();
    } finally {
      this.unlock(key);
    }
  }

  /** Resolves when no key is locked. */
  async idle(): Promise<void> {
    while (this.#waiting.size > 0) {
      for (const key of [...this.#waiting.keys()]) await this.run(key, () => Promise.resolve());
    }
  }
}
