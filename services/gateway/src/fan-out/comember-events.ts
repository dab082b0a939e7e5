import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { WriteScheduler } from "../connection/write-scheduler.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import { isInShard } from "../query/shard.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import { SendPace } from "./send-pace.js";

/** The scheduler that writes presences. */
type PresenceWrites = Pick<WriteScheduler, "cork" | "uncork">;

/**
 * Delivers changes of presence to the local connections that are to get them.
 *
 * Each is sent to all members of the user's servers, so the writes of a reconnect storm grow with
 * the square of its size. An event is delivered at once unless many frames were sent before it ({@link SendPace}).
 * Events that wait are delivered together, in one write per connection, and a later one of the same user replaces an
 * earlier one (docs/protocol/connecting.md#20.2).
 */
export class ComemberEvents {
  readonly #hub: Hub;
  readonly #presenceWrites: PresenceWrites;
  readonly #sendTasks = new TimeSlicedTasks();
  readonly #pace = new SendPace();
  /** In the order of the latest; two events of a user for different servers are no copies of each other. */
  readonly #waiting = new Map<string, () => void>();
  #events = 0;

  constructor({ hub, presenceWrites }: { hub: Hub; presenceWrites: PresenceWrites }) {
    this.#hub = hub;
    this.#presenceWrites = presenceWrites;
  }

  dispatch(userId: string, event: ReceivedEvent): void {
    const waitMs = this.#pace.waitMs(performance.now());
    if (waitMs === 0 && this.#waiting.size === 0 && this.#sendTasks.isIdle) {
      this.#deliver(userId, event);
      return;
    }
    if (this.#waiting.size === 0) setTimeout(() => this.#deliverWaiting(), waitMs);
    const key = `${userId} ${event.serverIds}`;
    this.#waiting.delete(key);
    this.#waiting.set(key, () => this.#deliver(userId, event));
  }

  #deliver(userId: string, event: ReceivedEvent): void {
    const hub = this.#hub;
    const { watches } = hub;
    this.#events += 1;
    const number = this.#events;
    const recipients: Connection[] = [];
    const add = (connection: Connection) => {
      // Once, however many servers they share.
      if (connection.lastComemberEvent === number || connection.userId === userId) return;
      connection.lastComemberEvent = number;
      if (!watches.defer(connection, userId, event)) recipients.push(connection);
    };
    const servers = serversOf(hub, event);
    for (const server of servers) {
      for (const { connections } of server.presenceAudience) {
        for (const connection of connections) if (getsAllOf(connection, server)) add(connection);
      }
    }
    for (const connection of watches.named.watchersOf(userId)) {
      if (watches.isDeferring(connection) || isComember(hub, connection, servers)) add(connection);
    }
    for (const { connections } of watches.partners.watchersOf(userId)) {
      for (const connection of connections) if (getsPartners(connection)) add(connection);
    }
    const frame = encodeTextFrame(event.body);
    for (const connection of recipients) connection.sendPresence(frame, event.receivedAt, userId, recipients.length);
    this.#pace.count(recipients.length, performance.now());
  }

  /** The tasks take many turns of the event loop. Without the cork the schedulers would write after each. */
  #deliverWaiting(): void {
    this.#presenceWrites.cork();
    for (const task of this.#waiting.values()) this.#sendTasks.add(task);
    this.#waiting.clear();
    this.#sendTasks.add(() => this.#presenceWrites.uncork());
  }
}

/** The servers with members here to whose members an event is addressed. */
export function serversOf(hub: Pick<Hub, "server">, { serverIds }: ReceivedEvent): ServerEntry[] {
  return (serverIds?.split(",") ?? []).flatMap((serverId) => hub.server(serverId) ?? []);
}

/** Whether the connection's user is a member of one of these servers that is in the connection's shard. */
export function isComember(hub: Pick<Hub, "user">, connection: Connection, servers: readonly ServerEntry[]): boolean {
  const user = hub.user(connection.userId);
  if (user === undefined) return false;
  return servers.some((server) => isInShard(connection.query.shard, server.crc) && server.isMember(user));
}

/** Whether the connection gets the presence of the partners of its user's DM channels because they are that. */
export function getsPartners({ query }: Connection): boolean {
  return query.presence === "subscribed" && isInShard(query.shard, null);
}

function getsAllOf({ query }: Connection, server: ServerEntry): boolean {
  return query.presence === "all" && isInShard(query.shard, server.crc);
}
