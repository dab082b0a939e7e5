import { WatchIndex } from "./watch-index.js";

interface Follower {
  readonly id: string;
  readonly connections: readonly unknown[];
}

/** Which threads the users follow that have a connection that shows channels (docs/protocol/notifications.md#26.1). */
export class FollowedThreads<User extends Follower> {
  readonly #index = new WatchIndex<User>();
  readonly #loads = new WeakMap<User, Promise<void>>();
  /** Users whose settings arrived as an event: they are newer than the result of a running statement. */
  readonly #updated = new WeakSet<User>();

  /**
   * Loads the threads that a user follows, at the first of their connections that shows channels. Rejects when that
   * fails.
   */
  load(user: User, read: () => Promise<string[]>): Promise<void> {
    const known = this.#loads.get(user);
    if (known !== undefined) return known;
    const loading = read().then((threadIds) => {
      if (!this.#updated.has(user) && user.connections.length > 0) this.#set(user, threadIds);
    });
    this.#loads.set(user, loading);
    loading.catch(() => this.#loads.delete(user));
    return loading;
  }

  /** @param follows the value of the header of that name in NOTIFICATIONS_UPDATE */
  update(user: User, follows: string): void {
    if (!this.#loads.has(user)) return;
    this.#updated.add(user);
    this.#set(user, follows === "none" ? [] : follows.split(","));
  }

  forget(user: User): void {
    this.#index.forget(user);
  }

  followersOf(threadId: string): Iterable<User> {
    return this.#index.watchersOf(threadId);
  }

  isFollowing(user: User, threadId: string): boolean {
    return this.#index.isWatching(user, threadId);
  }

  #set(user: User, threadIds: readonly string[]): void {
    this.#index.forget(user);
    for (const id of threadIds) this.#index.watch(user, id);
  }
}
