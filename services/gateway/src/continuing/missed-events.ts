import { events as definitions } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import type { Position } from "../cursors/cursor.js";
import { isForClients, topicOf } from "../fan-out/topic.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { crc32, isInShard } from "../query/shard.js";
import type { EventSource, ReplayReader } from "./replay-reader.js";
import type { ReplayRights } from "./replay-rights.js";
import { sequenceOf } from "./stream-window.js";

/** Control events about the beginning or end of a user's membership. */
const membershipEvents: ReadonlySet<string> = new Set(["SERVER_JOINED", "SERVER_LEFT"]);

/**
 * Collects the events that a continuing connection missed, in the order of the stream, or returns the resync reason.
 */
export async function collectMissed(
  connection: Connection,
  { user, position, boundary }: { user: UserEntry; position: Position; boundary: number },
  { hub, reader, rights }: { hub: Pick<Hub, "server">; reader: ReplayReader; rights: ReplayRights },
): Promise<ReceivedEvent[] | "membership" | "too_many"> {
  const { query } = connection;
  const own = await reader.read(sourceOf(user, position), boundary);
  if (own === null) return "too_many";
  if (own.some((event) => changesMembership(event, query))) return "membership";
  const missed = own.filter((event) => isSent(event, connection, null));
  for (const { id } of [...user.servers]) {
    const server = hub.server(id);
    if (server === undefined || !isInShard(query.shard, server.crc)) continue;
    const stored = await reader.read(sourceOf(server, position), boundary);
    if (stored === null) return "too_many";
    const sent = stored.filter((event) => isSent(event, connection, server.crc));
    if (sent.length > 0) missed.push(...(await rights.selectVisible(server, user, sent)));
  }
  return missed.sort((one, other) => sequenceOf(one) - sequenceOf(other));
}

/** The first sequence that a user may have missed. */
export function firstMissed(user: UserEntry, position: Position): number {
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
  { highest, pending }: Position,
): EventSource {
  const from = pending?.get(entry.subscription.pending.hash) ?? highest + 1;
  return { kind: entry.servers === undefined ? "server" : "user", id: entry.id, from };
}

function isSent(event: ReceivedEvent, connection: Connection, serverCrc: number | null): boolean {
  return isForClients(event) && connection.wants(topicOf(event, serverCrc));
}

function changesMembership({ address, body }: ReceivedEvent, { shard }: Connection["query"]): boolean {
  if (!membershipEvents.has(address.event)) return false;
  if (shard === null) return true;
  const { server_id } = definitions.SERVER_JOINED.payload.parse(JSON.parse(Buffer.from(body).toString()));
  return isInShard(shard, crc32(server_id));
}
