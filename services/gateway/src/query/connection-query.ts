import { ConnectQuery, errorTexts, type presenceModes, versionToName } from "@parley/contracts";
import { isInShard, type Shard } from "./shard.js";

/** The users whose PRESENCE_UPDATE a connection gets (docs/protocol/connecting.md#20.1); none if `events` leaves these out. */
export type PresenceMode = "all" | (typeof presenceModes)[number];

/** A client's filters in the query of the upgrade request, beside its token; without parameters it gets everything. */
export interface ConnectionQuery {
  readonly presence: PresenceMode;
  /** 2 for the whole stream of changes (docs/protocol/events.md#23.1). */
  readonly version: 1 | 2;
  /** Whether it gets the joins, changes and leaves of all members (docs/protocol/events.md#23.3). */
  readonly watchesMembers: boolean;
  /** The events that are sent; null for all. READY and the frames that control the connection are sent in any case. */
  readonly events: ReadonlySet<string> | null;
  /** The servers whose events are sent; null for all. */
  readonly shard: Shard | null;
  /**
   * The channels that are in view from the beginning; null for a connection that is sent everything also of large servers
   * (docs/protocol/passive-servers.md#27).
   */
  readonly view: readonly string[] | null;
  /** The value of `s`, empty without a cursor; null for a connection that is not numbered (docs/protocol/continuing.md#19.1). */
  readonly cursor: string | null;
}

/** The query of a client that names nothing: it gets everything. */
export const defaultQuery: ConnectionQuery = {
  presence: "all",
  version: 1,
  watchesMembers: false,
  events: null,
  shard: null,
  view: null,
  cursor: null,
};

/** Properties of an event that a connection's query selects by. */
export interface Topic {
  readonly event: string;
  /** CRC-32 of the id of the event's server; null for an event of the user. */
  readonly serverCrc: number | null;
  /** The `v` of the connections that get it; null for all. */
  readonly version: 1 | 2 | null;
  /** Null, or, for an event of member watchers, the member who also gets it, if any. */
  readonly watched: { readonly memberId: string | null } | null;
  /** Whether only connections that name the event get it; absent for no. */
  readonly mustBeNamed?: boolean;
  /**
   * The channel that a connection with `view` must show to get it; absent for events that such connections get anyway.
   */
  readonly shownIn?: string;
}

/** Whether the query of a user's connection selects an event other than PRESENCE_UPDATE. */
export function wants(query: ConnectionQuery, userId: string, topic: Topic): boolean {
  const { event, serverCrc, version, watched, mustBeNamed = false } = topic;
  if (version !== null && version !== query.version) return false;
  if (query === defaultQuery) return true;
  if (watched !== null && !query.watchesMembers && watched.memberId !== userId) return false;
  return (query.events?.has(event) ?? !mustBeNamed) && isInShard(query.shard, serverCrc);
}

/** The text of the 400 before the upgrade. */
export interface QueryError {
  readonly error: string;
}

const Parameters = ConnectQuery.omit({ token: true, bot_token: true, s: true });

/** @returns of a repeated parameter the first counts */
export function parseConnectionQuery(parameters: URLSearchParams): ConnectionQuery | QueryError {
  const { data, error } = Parameters.safeParse({
    v: parameters.get("v") ?? undefined,
    presence: parameters.get("presence") ?? undefined,
    members: parameters.get("members") ?? undefined,
    events: parameters.get("events") ?? undefined,
    shard: parameters.get("shard") ?? undefined,
    view: parameters.get("view") ?? undefined,
  });
  if (error !== undefined) return { error: error.issues[0]?.message ?? "Invalid query" };
  const { v: version = 1, presence = "all", members, events = null, shard = null, view = null } = data;
  if (members !== undefined && version === 1) return { error: errorTexts.members_need_version_2 };
  if (view !== null && version === 1) return { error: errorTexts.view_invalid };
  const unknown = [...(events ?? [])].find((name) => (versionToName(name) ?? 1) > version);
  if (unknown !== undefined) return { error: errorTexts.unknown_event(unknown) };
  const cursor = parameters.get("s");
  if (version === 1 && presence === "all" && events === null && shard === null && cursor === null) return defaultQuery;
  return {
    presence: events?.has("PRESENCE_UPDATE") === false ? "none" : presence,
    version,
    watchesMembers: members === "all",
    events,
    shard,
    view,
    cursor,
  };
}
