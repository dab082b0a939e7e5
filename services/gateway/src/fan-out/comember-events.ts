import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame, type PresenceFrame } from "../connection/frames.js";
import type { WriteScheduler } from "../connection/write-scheduler.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import { comemberPassMax } from "../limits.js";
import { isInShard } from "../query/shard.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import { SendPace } from "./send-pace.js";

/** Delivers a change of a user's presence to the local connections that are to get it. */
export type PassToComembers = (userId: string, event: ReceivedEvent) => void;

/** Of the scheduler that writes presences. */
export type PresenceWrites = Pick<WriteScheduler, "hold" | "release">;

interface Change {
  userId: string;
  event: ReceivedEvent;
}

/**
 * Each change of presence is sent to all members of the user's servers, so the writes of a reconnect storm grow with
 * the square of its size. An event is delivered at once unless many frames were sent before it ({@link SendPace}).
 * Events that wait are delivered together, in one pass over the connections of their servers and in one write per
 * connection, and a later one of the same user replaces an earlier one (docs/interface.md#20.2).
 */
export function createComemberEvents(options: { hub: Hub; presenceWrites: PresenceWrites }): PassToComembers {
  const { hub, presenceWrites } = options;
  const { watches } = hub;
  const sendTasks = new TimeSlicedTasks();
  const pace = new SendPace();
  /** In the order of the latest; two events of a user for different servers are no copies of each other. */
  const waiting = new Map<string, Change>();
  let passes = 0;

  /** @param changes of different users, to the same servers */
  function pass(changes: readonly Change[]): void {
    const presences = changes.map(({ userId, event }) => presenceFrame(userId, event));
    const servers = changes[0] === undefined ? [] : serversOf(hub, changes[0].event);
    let sends = passToAll(presences, servers);
    for (const [index, change] of changes.entries())
      sends += passToWatchers(change, presences.slice(index, index + 1), servers);
    pace.count(sends, performance.now());
  }

  /** To those who get the presence of all co-members. @returns the number of frames */
  function passToAll(presences: readonly PresenceFrame[], servers: readonly ServerEntry[]): number {
    passes += 1;
    let sends = 0;
    const users = new Set(presences.map(({ presenceOf }) => presenceOf));
    for (const server of servers) {
      for (const { id, connections } of server.presenceAudience) {
        const ofOthers = users.has(id) ? presences.filter(({ presenceOf }) => presenceOf !== id) : presences;
        for (const connection of connections) {
          // Once, however many servers they share.
          if (connection.lastComemberPass === passes || !getsAllOf(connection, server)) continue;
          connection.lastComemberPass = passes;
          sends += ofOthers.length;
          connection.sendPresences(ofOthers);
        }
      }
    }
    return sends;
  }

  /** To those who get the presence of some users only, so that none of them is reached above. */
  function passToWatchers(
    { userId, event }: Change,
    presence: readonly PresenceFrame[],
    servers: readonly ServerEntry[],
  ): number {
    passes += 1;
    let sends = 0;
    const send = (connection: Connection) => {
      if (connection.lastComemberPass === passes || connection.userId === userId) return;
      connection.lastComemberPass = passes;
      if (watches.hold(connection, userId, event)) return;
      sends += 1;
      connection.sendPresences(presence);
    };
    for (const connection of watches.named.watchersOf(userId)) {
      if (watches.isHolding(connection) || isComember(hub, connection, servers)) send(connection);
    }
    for (const { connections } of watches.partners.watchersOf(userId)) {
      for (const connection of connections) if (getsPartners(connection)) send(connection);
    }
    return sends;
  }

  /** They take many turns of the event loop, after each of which they would else be written. */
  function sendWaiting(): void {
    presenceWrites.hold();
    for (const changes of groupsOf(waiting.values())) sendTasks.add(() => pass(changes));
    waiting.clear();
    sendTasks.add(() => presenceWrites.release());
  }

  return (userId, event) => {
    const waitMs = pace.waitMs(performance.now());
    if (waitMs === 0 && waiting.size === 0 && sendTasks.isIdle) {
      pass([{ userId, event }]);
      return;
    }
    if (waiting.size === 0) setTimeout(sendWaiting, waitMs);
    const key = `${userId} ${event.serverIds}`;
    waiting.delete(key);
    waiting.set(key, { userId, event });
  };
}

/** The frame of a change of a user's presence. */
export function presenceFrame(userId: string, event: ReceivedEvent): PresenceFrame {
  return { frame: encodeTextFrame(event.body), since: event.receivedAt, presenceOf: userId };
}

/** Changes to the same servers, at most {@link comemberPassMax} together; those of one user stay in their order. */
function groupsOf(changes: Iterable<Change>): Change[][] {
  const groups: Change[][] = [];
  const open = new Map<string | null, Change[]>();
  const users = new Set<string>();
  for (const change of changes) {
    if (users.has(change.userId)) {
      open.clear();
      users.clear();
    }
    users.add(change.userId);
    const { serverIds } = change.event;
    const group = open.get(serverIds);
    if (group !== undefined && group.length < comemberPassMax) {
      group.push(change);
      continue;
    }
    const next = [change];
    groups.push(next);
    open.set(serverIds, next);
  }
  return groups;
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
