import { ConnectQuery, type presenceModes } from "@parley/contracts";
import { isInShard, type Shard } from "./shard.js";

/** The users whose PRESENCE_UPDATE a connection gets (docs/interface.md#20.1); none if `events` leaves these out. */
export type PresenceMode = "all" | (typeof presenceModes)[number];

/** What a client asks for in the query of the upgrade request, beside its token; without parameters it gets all. */
export interface ConnectionQuery {
  readonly presence: PresenceMode;
  /** The events that are sent; null for all. READY and what controls the connection are sent in any case. */
  readonly events: ReadonlySet<string> | null;
  /** The servers whose events are sent; null for all. */
  readonly shard: Shard | null;
  /** The value of `s`, empty without a cursor; null for a connection that is not numbered (docs/interface.md#19.1). */
  readonly cursor: string | null;
}

/** The query of a client that names nothing: it gets everything. */
export const defaultQuery: ConnectionQuery = { presence: "all", events: null, shard: null, cursor: null };

/** Properties of an event that a connection's query selects by. */
export interface Topic {
  readonly event: string;
  /** CRC-32 of the id of the event's server; null for an event of the user. */
  readonly serverCrc: number | null;
}

/** Whether the query selects an event other than PRESENCE_UPDATE. */
export function wants(query: ConnectionQuery, { event, serverCrc }: Topic): boolean {
  if (query === defaultQuery) return true;
  return (query.events === null || query.events.has(event)) && isInShard(query.shard, serverCrc);
}

/** The text of the 400 before the upgrade. */
export interface QueryError {
  readonly error: string;
}

const Parameters = ConnectQuery.pick({ presence: true, events: true, shard: true });

/** @returns of a repeated parameter the first counts */
export function parseConnectionQuery(parameters: URLSearchParams): ConnectionQuery | QueryError {
  const { data, error } = Parameters.safeParse({
    presence: parameters.get("presence") ?? undefined,
    events: parameters.get("events") ?? undefined,
    shard: parameters.get("shard") ?? undefined,
  });
  if (error !== undefined) return { error: error.issues[0]?.message ?? "Invalid query" };
  const { presence = "all", events = null, shard = null } = data;
  const cursor = parameters.get("s");
  if (presence === "all" && events === null && shard === null && cursor === null) return defaultQuery;
  return { presence: events?.has("PRESENCE_UPDATE") === false ? "none" : presence, events, shard, cursor };
}
