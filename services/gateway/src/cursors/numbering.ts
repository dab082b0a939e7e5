import type { ConnectionQuery } from "../query/connection-query.js";
import { isInShard } from "../query/shard.js";
import { type Cursors, channelMarks, shortHash } from "./cursor.js";
import type { DeferredEvents, StoredAt } from "./deferred-events.js";

const streamStart: StoredAt = { sequence: 0, id: null };

/** A server whose id is part of the hash of memberships in a cursor. */
export interface CountedServer {
  readonly id: string;
  /** Checksum of its id, which determines its shard. */
  readonly crc: number;
}

/** {@link shortHash} of the ids of servers that a numbered connection is in. */
const idHashes = new WeakMap<CountedServer, number>();

function idHashOf(server: CountedServer): number {
  const idHash = idHashes.get(server) ?? shortHash(server.id);
  idHashes.set(server, idHash);
  return idHash;
}

interface ReplayBoundary {
  sequence: number;
  position: string;
  servers: Iterable<CountedServer>;
}

/** State that numbered connections have besides that of every connection (docs/protocol/continuing.md#19). */
export class Numbering {
  /**
   * Events of the stream up to this sequence are never delivered live; those that the client lacks are replayed.
   * Infinite until the boundary is set, so no event is delivered live before.
   */
  replayBoundary = Number.POSITIVE_INFINITY;
  /** The newest event that was sent live. */
  newest: StoredAt = streamStart;
  /** Null while no event is deferred. */
  deferred: DeferredEvents | null = null;
  #memberships = 0;
  #sessionTag: Buffer | null = null;
  #firstPosition = "";
  /** The channels in view; null without `view`. */
  #shown: Buffer | null;
  /** {@link shortHash} of the filters in the client's query; 0 without a filter. */
  readonly filter: number;

  /** @param cursor the cursor that the client connected with; empty when it does not continue */
  constructor(
    readonly cursor: string,
    private readonly userId: string,
    private readonly query: FilterQuery,
    private readonly cursors: Cursors,
  ) {
    this.filter = filterHash(query);
    this.#shown = query.view && channelMarks(query.view);
  }

  get hasReplayBoundary(): boolean {
    return this.replayBoundary !== Number.POSITIVE_INFINITY;
  }

  /** Exclusive or of the {@link shortHash} of each of the user's servers in the shard. */
  get memberships(): number {
    return this.#memberships;
  }

  /** The session tag of each cursor of this connection. */
  get sessionTag(): Buffer {
    this.#sessionTag ??= ownBuffer(
      this.cursors.writeSessionTag({
        userId: this.userId,
        memberships: this.#memberships,
        filter: this.filter,
        shown: this.#shown,
      }),
    );
    return this.#sessionTag;
  }

  /** Other channels are in view. */
  setShown(channelIds: Iterable<string>): void {
    this.#shown = channelMarks(channelIds);
    this.#sessionTag = null;
  }

  /** Position of the first frame after the boundary that carries a cursor: READY or RESUMED. */
  get firstPosition(): string {
    return this.#firstPosition;
  }

  /**
   * @param boundary.position position of a client that has every event up to `boundary.sequence`
   * @param boundary.servers servers that the user is in at the boundary
   */
  setReplayBoundary({ sequence, position, servers }: ReplayBoundary): void {
    this.replayBoundary = sequence;
    this.#firstPosition = position;
    this.#memberships = 0;
    this.#sessionTag = null;
    for (const server of servers) this.toggleServer(server);
  }

  /** Adds a server that the user joined to the memberships, or removes one that they left. */
  toggleServer(server: CountedServer): void {
    if (!this.hasReplayBoundary || !isInShard(this.query.shard, server.crc)) return;
    this.#memberships = (this.#memberships ^ idHashOf(server)) >>> 0;
    this.#sessionTag = null;
  }
}

/** Allocates outside of Node's buffer pool: a slice would keep 8 KB of the pool alive as long as the connection. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(text.length);
  buffer.write(text, "latin1");
  return buffer;
}

/** The part of a query whose change makes continuing impossible (docs/protocol/continuing.md#19.3). */
type FilterQuery = Pick<ConnectionQuery, "version" | "watchesMembers" | "events" | "shard" | "view">;

function filterHash({ version, watchesMembers, events, shard, view }: FilterQuery): number {
  if (version === 1 && events === null && shard === null) return 0;
  const names = events === null ? "" : [...events].sort().join(",");
  const rest = version === 1 ? "" : ` v2${watchesMembers ? " members" : ""}${view === null ? "" : " view"}`;
  return shortHash(`${names} ${shard === null ? "" : `${shard.index}/${shard.count}`}${rest}`);
}
