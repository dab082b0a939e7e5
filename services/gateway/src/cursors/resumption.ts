import type { ConnectionQuery } from "../query/connection-query.js";
import { isInShard } from "../query/shard.js";
import { type Cursors, shortHash } from "./cursor.js";
import type { HeldEvents, StreamPlace } from "./deferred-events.js";

const streamStart: StreamPlace = { sequence: 0, id: null };

/** A server's contribution to the hash of memberships in a cursor. */
export interface CountedServer {
  /** Checksum of its id, which determines its shard. */
  readonly crc: number;
  /** {@link shortHash} of its id. */
  readonly idHash: number;
}

interface Cut {
  sequence: number;
  position: string;
  servers: Iterable<CountedServer>;
}

/** State that numbered connections have besides that of every connection (docs/interface.md#19). */
export class Numbering {
  /**
   * Events of the stream up to this sequence are never delivered live; those that the client lacks are replayed.
   * Infinite until the cut is made, so no event is delivered live before.
   */
  cut = Number.POSITIVE_INFINITY;
  /** Place of the newest event that was sent live. */
  newest: StreamPlace = streamStart;
  /** Null while no event is held. */
  held: HeldEvents | null = null;
  #memberships = 0;
  #owner: Buffer | null = null;
  #firstPosition = "";
  /** {@link shortHash} of the events and the shard that the client asks for; 0 for all. */
  readonly filter: number;

  /** @param cursor the cursor that the client connected with; empty when it does not continue */
  constructor(
    readonly cursor: string,
    private readonly userId: string,
    private readonly query: Pick<ConnectionQuery, "events" | "shard">,
    private readonly cursors: Cursors,
  ) {
    this.filter = filterHash(query);
  }

  get isCut(): boolean {
    return this.cut !== Number.POSITIVE_INFINITY;
  }

  /** Exclusive or of the {@link shortHash} of each of the user's servers in the shard. */
  get memberships(): number {
    return this.#memberships;
  }

  /** The owner's part of each cursor of this connection. */
  get owner(): Buffer {
    this.#owner ??= ownBuffer(
      this.cursors.writeOwner({ userId: this.userId, memberships: this.#memberships, filter: this.filter }),
    );
    return this.#owner;
  }

  /** Position of the first frame after the cut that carries a cursor: READY or RESUMED. */
  get firstPosition(): string {
    return this.#firstPosition;
  }

  /**
   * @param cut.position position of a client that has every event up to `cut.sequence`
   * @param cut.servers servers that the user is in at the cut
   */
  makeCut({ sequence, position, servers }: Cut): void {
    this.cut = sequence;
    this.#firstPosition = position;
    this.#memberships = 0;
    this.#owner = null;
    for (const server of servers) this.toggleServer(server);
  }

  /** Adds a server that the user joined to the memberships, or removes one that they left. */
  toggleServer({ crc, idHash }: CountedServer): void {
    if (!this.isCut || !isInShard(this.query.shard, crc)) return;
    this.#memberships = (this.#memberships ^ idHash) >>> 0;
    this.#owner = null;
  }
}

/** Allocates outside of Node's buffer pool: a slice would keep 8 KB of the pool alive as long as the connection. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(text.length);
  buffer.write(text, "latin1");
  return buffer;
}

function filterHash({ events, shard }: Pick<ConnectionQuery, "events" | "shard">): number {
  if (events === null && shard === null) return 0;
  const names = events === null ? "" : [...events].sort().join(",");
  return shortHash(`${names} ${shard === null ? "" : `${shard.index}/${shard.count}`}`);
}
