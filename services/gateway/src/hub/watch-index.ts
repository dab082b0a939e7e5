/** A watched id with its watchers. They share this object, so the id is in memory once. */
interface Target<Watcher> {
  readonly id: string;
  readonly watchers: Set<Watcher>;
}

/** Index of watchers by watched id, and of watched ids by watcher. */
export class WatchIndex<Watcher> {
  readonly #targets = new Map<string, Target<Watcher>>();
  readonly #watched = new Map<Watcher, Set<Target<Watcher>>>();

  watch(watcher: Watcher, id: string): void {
    const target = this.#targets.get(id) ?? { id, watchers: new Set<Watcher>() };
    this.#targets.set(id, target);
    target.watchers.add(watcher);
    const watched = this.#watched.get(watcher) ?? new Set();
    this.#watched.set(watcher, watched.add(target));
  }

  /** Ends all watches of the watcher. */
  forget(watcher: Watcher): void {
    for (const target of this.#watched.get(watcher) ?? []) {
      target.watchers.delete(watcher);
      if (target.watchers.size === 0) this.#targets.delete(target.id);
    }
    this.#watched.delete(watcher);
  }

  watchersOf(id: string): Iterable<Watcher> {
    return this.#targets.get(id)?.watchers ?? [];
  }

  isWatching(watcher: Watcher, id: string): boolean {
    return this.#targets.get(id)?.watchers.has(watcher) ?? false;
  }

  /** Number of watched ids. */
  get size(): number {
    return this.#targets.size;
  }
}
