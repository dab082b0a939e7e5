import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import type { UserEntry } from "./user-entry.js";
import { WatchIndex } from "./watch-index.js";

/**
 * Whose presence the connections with `presence=subscribed` get (docs/interface.md#20.1): a change costs what these
 * connections are many, not what the servers of the user have members. Bounded by the users that one op may name, and by
 * the partners that are loaded for a user.
 */
export class PresenceWatches {
  /** The users that each connection named last. */
  readonly named = new WatchIndex<Connection>();
  /** The partners of the users' DM channels. */
  readonly partners = new WatchIndex<UserEntry>();
  /** Changes of the users that each connection named, received while their status is being read; the latest of each. */
  readonly #held = new Map<Connection, Map<string, ReceivedEvent>>();

  /** Replaces the users that the connection named, and holds their changes back until {@link release}. */
  name(connection: Connection, userIds: Iterable<string>): void {
    this.named.forget(connection);
    for (const userId of userIds) this.named.watch(connection, userId);
    this.#held.set(connection, new Map());
  }

  /** Whether the changes of the users that the connection named are held back. */
  isHolding(connection: Connection): boolean {
    return this.#held.has(connection);
  }

  /** Whether the event is held back for the connection. */
  hold(connection: Connection, userId: string, event: ReceivedEvent): boolean {
    const held = this.#held.get(connection);
    if (held === undefined || !this.named.isWatching(connection, userId)) return false;
    held.set(userId, event);
    return true;
  }

  /** Ends the holding back; the caller sends the events. */
  release(connection: Connection): ReadonlyMap<string, ReceivedEvent> {
    const held = this.#held.get(connection) ?? new Map();
    this.#held.delete(connection);
    return held;
  }

  /** Called when the connection ends. */
  forget(connection: Connection): void {
    this.named.forget(connection);
    this.#held.delete(connection);
  }
}
