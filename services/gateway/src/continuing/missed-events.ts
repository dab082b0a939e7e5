import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { type Cursor, hasMarks } from "../cursors/cursor.js";
import { isForClients, topicOf } from "../fan-out/topic.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { crc32, isInShard } from "../query/shard.js";
import type { EventSource, ReplayReader } from "./replay-reader.js";
import type { ReplayRights } from "./replay-rights.js";
import { type Selection, type StoredEvents, sequenceOf } from "./source-events.js";

/** Control events about the beginning or end of a user's membership. */
const membershipEvents: ReadonlySet<string> = new Set(["SERVER_JOINED", "SERVER_LEFT"]);

/** The missed events of a continuing connection. */
export interface Missed {
  /** The events to send, in the order of the stream. */
  events: ReceivedEvent[];
  /** By the id of a passive server: the channels with omitted events (docs/protocol/passive-servers.md#27). */
  leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Collects the missed events of a continuing connection, or returns the resync reason. */
export async function collectMissed(
  connection: Connection,
  { user, cursor, boundary }: { user: UserEntry; cursor: Cursor; boundary: number },
  { hub, reader, rights }: { hub: Pick<Hub, "server" | "followed">; reader: ReplayReader; rights: ReplayRights },
): Promise<Missed | "membership" | "too_many"> {
  const { query } = connection;
  const { position } = cursor;
  const own = await reader.read(sourceOf(user, position), boundary);
  if (own === null) return "too_many";
  if (own.all().some((event) => changesMembership(event, query))) return "membership";
  const missed = own.all().filter((event) => isSent(event, connection, null));
  const leftOut = new Map<string, Set<string>>();
  const isFollowing = (threadId: string) => hub.followed.isFollowing(user, threadId);
  for (const { id } of [...user.servers]) {
    const server = hub.server(id);
    if (server === undefined || !isInShard(query.shard, server.crc)) continue;
    const stored = await reader.read(sourceOf(server, position), boundary);
    if (stored === null) return "too_many";
    const isWanted = (event: ReceivedEvent) => isSent(event, connection, server.crc);
    const selection = server.isPassive ? selectionOf(user, server.rolesOf(user), query, cursor) : null;
    const selected = selection === null ? stored.all() : stored.select(selection, isFollowing);
    if (selection !== null) leftOut.set(id, leftOutOf(stored, { selected, selection, isWanted }));
    const sent = selected.filter(isWanted);
    if (sent.length > 0) missed.push(...(await rights.selectVisible(server, user, sent)));
  }
  return { events: missed.sort((one, other) => sequenceOf(one) - sequenceOf(other)), leftOut };
}

/** Selects the events of a passive server that a connection gets; null for a connection that gets everything. */
function selectionOf(
  user: UserEntry,
  roleIds: readonly string[],
  { view }: Connection["query"],
  { shown }: Cursor,
): Selection | null {
  if (view === null) return null;
  return {
    userId: user.id,
    roleIds,
    // The client reads the history of a channel that was not in view when the connection was lost.
    inView: new Set(view.filter((id) => shown !== null && hasMarks(shown, id))),
  };
}

/** The channels with omitted events. For most of them the newest event decides. */
function leftOutOf(
  stored: StoredEvents,
  options: { selected: readonly ReceivedEvent[]; selection: Selection; isWanted(event: ReceivedEvent): boolean },
): Set<string> {
  const { selection, isWanted } = options;
  const selected = new Set(options.selected);
  const channelIds = new Set<string>();
  for (const [channelId, events] of stored.inViewOnly()) {
    if (selection.inView.has(channelId)) continue;
    for (const event of events) {
      if (selected.has(event) || !isWanted(event)) continue;
      channelIds.add(channelId);
      break;
    }
  }
  return channelIds;
}

/** The first sequence that a user may have missed. */
export function firstMissed(user: UserEntry, position: Cursor["position"]): number {
  let first = sourceOf(user, position).from;
  if (position.pending === null || position.pending.size === 0) return first;
  for (const server of user.servers) {
    const from = position.pending.get(server.subscription.pending.hash);
    if (from !== undefined) first = Math.min(first, from);
  }
  return first;
}

function sourceOf(
  entry: Pick<UserEntry, "id" | "subscription"> & { servers?: unknown },
  { highest, pending }: Cursor["position"],
): EventSource {
  const from = pending?.get(entry.subscription.pending.hash) ?? highest + 1;
  return { kind: entry.servers === undefined ? "server" : "user", id: entry.id, from };
}

function isSent(event: ReceivedEvent, connection: Connection, serverCrc: number | null): boolean {
  return isForClients(event) && connection.wants(topicOf(event, serverCrc));
}

function changesMembership({ address, facts }: ReceivedEvent, { shard }: Connection["query"]): boolean {
  if (!membershipEvents.has(address.event)) return false;
  return facts.server === undefined || isInShard(shard, crc32(facts.server));
}
