import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { WriteScheduler } from "../connection/write-scheduler.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import { isInShard } from "../query/shard.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import { SendPace } from "./send-pace.js";

/** Delivers a change of a user's presence to the local connections that are to get it. */
export type PassToComembers = (userId: string, event: ReceivedEvent) => void;

/** Of the scheduler that writes presences. */
export type PresenceWrites = Pick<WriteScheduler, "hold" | "release">;

/**
 * Each change of presence is sent to all members of the user's servers, so the writes of a reconnect storm grow with
 * the square of its size. An event is delivered at once unless many frames were sent before it ({@link SendPace}).
 * Events that wait are delivered together, in one write per connection, and a later one of the same user replaces an
 * earlier one (docs/interface.md#20.2).
 */
export function createComemberEvents(options: { hub: Hub; presenceWrites: PresenceWrites }): PassToComembers {
  const { hub, presenceWrites } = options;
  const { watches } = hub;
  const sendTasks = new TimeSlicedTasks();
  const pace = new SendPace();
  /** In the order of the latest; two events of a user for different servers are no copies of each other. */
  const waiting = new Map<string, () => void>();
  let events = 0;

  function pass(userId: string, event: ReceivedEvent): void {
    events += 1;
    let sends = 0;
    const frame = encodeTextFrame(event.body);
    const send = (connection: Connection) => {
      // Once, however many servers they share.
      if (connection.lastComemberEvent === events || connection.userId === userId) return;
      connection.lastComemberEvent = events;
      if (watches.hold(connection, userId, event)) return;
      sends += 1;
      connection.sendPresence(frame, event.receivedAt, userId);
    };
    const servers = serversOf(hub, event);
    for (const server of servers) {
      for (const { connections } of server.presenceAudience) {
        for (const connection of connections) if (getsAllOf(connection, server)) send(connection);
      }
    }
    for (const connection of watches.named.watchersOf(userId)) {
      if (watches.isHolding(connection) || isComember(hub, connection, servers)) send(connection);
    }
    for (const { connections } of watches.partners.watchersOf(userId)) {
      for (const connection of connections) if (getsPartners(connection)) send(connection);
    }
    pace.count(sends, performance.now());
  }

  /** They take many turns of the event loop, after each of which they would else be written. */
  function sendWaiting(): void {
    presenceWrites.hold();
    for (const task of waiting.values()) sendTasks.add(task);
    waiting.clear();
    sendTasks.add(() => presenceWrites.release());
  }

  return (userId, event) => {
    const waitMs = pace.waitMs(performance.now());
    if (waitMs === 0 && waiting.size === 0 && sendTasks.isIdle) {
      pass(userId, event);
      return;
    }
    if (waiting.size === 0) setTimeout(sendWaiting, waitMs);
    const key = `${userId} ${event.serverIds}`;
    waiting.delete(key);
    waiting.set(key, () => pass(userId, event));
  };
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
