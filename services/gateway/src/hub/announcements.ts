import type { ReceivedEvent } from "@parley/messaging";
import type { UserEntry } from "./user-entry.js";

/** A join or leave of a user of which their connections with `v=2` are to be told (docs/interface.md#23.2). */
export interface Announcement {
  readonly user: UserEntry;
  /** SERVER_JOINED or SERVER_LEFT. */
  readonly event: ReceivedEvent;
  /** Why the user left; null for a join. */
  readonly leaveReason: "left" | "kicked" | "banned" | null;
  /** Called once, when it was made or is not needed any more. */
  onEnd?(): void;
}

/**
 * The announcements of one server that wait until the memberships they are about are loaded, in the order of the
 * stream. While there are any, no event of the server is delivered.
 */
export class Announcements {
  #waiting: Announcement[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get first(): Announcement | undefined {
    return this.#waiting[0];
  }

  /** The users of all that wait. */
  get users(): ReadonlySet<UserEntry> {
    return new Set(this.#waiting.map(({ user }) => user));
  }

  add(announcement: Announcement): void {
    this.#waiting.push(announcement);
  }

  /** Called when an announcement was made. */
  end(announcement: Announcement): void {
    this.#waiting = this.#waiting.filter((one) => one !== announcement);
    announcement.onEnd?.();
  }

  /** Called when a user has no connection or no membership to be told of any more. */
  drop(user: UserEntry): void {
    if (this.isEmpty) return;
    for (const announcement of this.#waiting) if (announcement.user === user) this.end(announcement);
  }
}
