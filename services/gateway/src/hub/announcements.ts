import type { ReceivedEvent } from "@parley/messaging";
import type { UserEntry } from "./user-entry.js";

/** Why a user left a server, in the words of SERVER_LEAVE. */
export type LeaveReason = "left" | "kicked" | "banned";

/** A join or leave that the user's connections with `v=2` are to receive (docs/protocol/events.md#23.2). */
export interface Announcement {
  readonly user: UserEntry;
  /** SERVER_JOINED or SERVER_LEFT. */
  readonly event: ReceivedEvent;
  /** Why the user left; null for a join. */
  readonly leaveReason: LeaveReason | null;
}

/**
 * The announcements of one server that wait until the memberships they are about are loaded, in the order of the
 * stream. While there are any, no event of the server is delivered.
 */
export class Announcements {
  /** With each the function that ends its wait. */
  readonly #waiting = new Map<Announcement, () => void>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get first(): Announcement | undefined {
    const [first] = this.#waiting.keys();
    return first;
  }

  /** The users of all that wait. */
  get users(): ReadonlySet<UserEntry> {
    return new Set([...this.#waiting.keys()].map(({ user }) => user));
  }

  /** @returns resolves when it was made, or is not needed any more */
  add(announcement: Announcement): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(announcement, resolve));
  }

  /** Called when an announcement was made. */
  end(announcement: Announcement): void {
    const resolve = this.#waiting.get(announcement);
    this.#waiting.delete(announcement);
    resolve?.();
  }

  /** Called when a user has no connection or no membership left to announce. */
  drop(user: UserEntry): void {
    for (const announcement of this.#waiting.keys()) if (announcement.user === user) this.end(announcement);
  }
}
