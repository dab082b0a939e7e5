import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import type { UserEntry } from "./user-entry.js";
import { WatchIndex } from "./watch-index.js";

/**
 * The users whose presence each connection with `presence=subscribed` gets (docs/protocol/connecting.md#20.1). The cost of a
 * change grows with the number of such connections that watch the user, not with the members of the user's servers.
 * The size is bounded by the users that one op may name, and by the partners that are loaded for a user.
 */
export class PresenceWatches {
  /** The users that each connection named last. */
  readonly named = new WatchIndex<Connection>();
  /** The partners of the users' DM channels. */
  readonly partners = new WatchIndex<UserEntry>();
  /** Changes of the users that each connection named, received while their status is being read; the latest of each. */
  readonly #deferred = new Map<Connection, Map<string, ReceivedEvent>>();

  /** Replaces the users that the connection named, and defers their changes until {@link release}. */
  name(connection: Connection, userIds: Iterable<string>): void {
    this.named.forget(connection);
    for (const userId of userIds) this.named.watch(connection, userId);
    this.#deferred.set(connection, new Map());
  }

  /** Whether the changes of the users that the connection named are deferred. */
  isDeferring(connection: Connection): boolean {
    return this.#deferred.has(connection);
  }

  /** Holds the event back if the connection named the user and its changes are deferred. @returns whether it did */
  defer(connection: Connection, userId: string, event: ReceivedEvent): boolean {
    const deferred = this.#deferred.get(connection);
    if (deferred === undefined || !this.named.isWatching(connection, userId)) return false;
    deferred.set(userId, event);
    return true;
  }

  /** Ends the deferral. @returns the latest event of each user, which the caller sends */
  release(connection: Connection): ReadonlyMap<string, ReceivedEvent> {
    const deferred = this.#deferred.get(connection) ?? new Map();
    this.#deferred.delete(connection);
    return deferred;
  }

  /** Called when the connection ends. */
  forget(connection: Connection): void {
    this.named.forget(connection);
    this.#deferred.delete(connection);
  }
}
