import { events, isEventName, presenceModes } from "@parley/contracts";
import { isInShard, type Shard, shardsMax } from "../hub/shard.js";

/** Whose PRESENCE_UPDATE a connection gets (docs/interface.md#20.1); nobody's if `events` leaves them out. */
export type PresenceMode = "all" | (typeof presenceModes)[number];

/** What a client asks for in the query of the upgrade request, beside its token; without parameters it gets all. */
export interface ConnectionQuery {
  readonly presence: PresenceMode;
  /** The events that are sent; null for all. READY and what controls the connection are sent in any case. */
  readonly events: ReadonlySet<string> | null;
  /** The servers whose events are sent; null for all. */
  readonly shard: Shard | null;
  /** The value of `s`, empty to begin anew; null for a connection that is not numbered (docs/interface.md#19.1). */
  readonly cursor: string | null;
}

/** The query of a client that names nothing: it gets everything. */
export const defaultQuery: ConnectionQuery = { presence: "all", events: null, shard: null, cursor: null };

/** What decides whether a client wants an event. */
export interface Topic {
  readonly event: string;
  /** CRC-32 of the id of the event's server; null for an event of the user. */
  readonly serverCrc: number | null;
}

/** Whether the client wants an event other than PRESENCE_UPDATE. */
export function wants(query: ConnectionQuery, { event, serverCrc }: Topic): boolean {
  if (query === defaultQuery) return true;
  return (query.events === null || query.events.has(event)) && isInShard(query.shard, serverCrc);
}

/** The text of the 400 before the upgrade. */
export interface QueryError {
  readonly error: string;
}

/** @returns of several errors the first in the order presence, events, shard; of a repeated parameter the first counts */
export function parseConnectionQuery(parameters: URLSearchParams): ConnectionQuery | QueryError {
  const presence = parsePresence(parameters.get("presence"));
  if (typeof presence === "object") return presence;
  const names = parseEvents(parameters.get("events"));
  if (names !== null && "error" in names) return names;
  const shard = parseShard(parameters.get("shard"));
  if (shard !== null && "error" in shard) return shard;
  const cursor = parameters.get("s");
  if (presence === "all" && names === null && shard === null && cursor === null) return defaultQuery;
  return { presence: names?.has("PRESENCE_UPDATE") === false ? "none" : presence, events: names, shard, cursor };
}

function parsePresence(text: string | null): PresenceMode | QueryError {
  if (text === null) return "all";
  return presenceModes.find((mode) => mode === text) ?? { error: "presence must be subscribed or none" };
}

/** Empty elements are ignored. */
function parseEvents(text: string | null): ReadonlySet<string> | QueryError | null {
  if (text === null) return null;
  const names = new Set<string>();
  for (const name of text.split(",")) {
    if (name === "") continue;
    if (!isEventName(name) || "internal" in events[name]) return { error: `Unknown event: ${name}` };
    names.add(name);
  }
  return names.size === 0 ? { error: "events must name at least one event" } : names;
}

/** `i/n` in decimal without leading zeros, 0 ≤ i < n ≤ {@link shardsMax}. */
function parseShard(text: string | null): Shard | QueryError | null {
  if (text === null) return null;
  const match = /^(0|[1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  return index < count && count <= shardsMax ? { index, count } : { error: "Invalid shard" };
}
