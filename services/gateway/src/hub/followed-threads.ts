import { z } from "zod";
import { WatchIndex } from "./watch-index.js";

interface Follower {
  readonly id: string;
  readonly connections: readonly unknown[];
}

/** The part of NOTIFICATIONS_UPDATE that says which threads somebody follows. */
const Settings = z.object({
  d: z.object({ threads: z.record(z.string(), z.object({ level: z.string().nullable() })) }),
});

/** Which threads the users follow that have a connection that shows channels (docs/interface.md#26.1). */
export class FollowedThreads<User extends Follower> {
  readonly #index = new WatchIndex<User>();
  readonly #loads = new WeakMap<User, Promise<void>>();
  /** Users whose settings arrived as an event, which are newer than what a statement that runs will find. */
  readonly #updated = new WeakSet<User>();

  /** Loads what a user follows, at the first of their connections that shows channels. Rejects when that fails. */
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

  /** A user has other settings: the body of NOTIFICATIONS_UPDATE. */
  update(user: User, body: Uint8Array): void {
    if (!this.#loads.has(user)) return;
    this.#updated.add(user);
    const { threads } = Settings.parse(JSON.parse(Buffer.from(body).toString())).d;
    this.#set(
      user,
      Object.entries(threads).flatMap(([id, { level }]) => (level === "all" ? [id] : [])),
    );
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
