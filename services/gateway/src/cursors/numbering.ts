import type { ConnectionQuery } from "../query/connection-query.js";
import { isInShard } from "../query/shard.js";
import { type Cursors, shortHash } from "./cursor.js";
import type { HeldEvents, StreamPlace } from "./held-events.js";

const streamStart: StreamPlace = { sequence: 0, id: null };

/** A server as the memberships in a cursor count it. */
export interface CountedServer {
  /** Decides which shards it is in. */
  readonly crc: number;
  /** {@link shortHash} of its id. */
  readonly idHash: number;
}

interface Cut {
  sequence: number;
  position: string;
  servers: Iterable<CountedServer>;
}

/** What makes a connection a numbered one (docs/interface.md#19). */
export class Numbering {
  /**
   * No stored event up to this sequence is delivered live: what the client lacks of them was replayed. Until the cut is
   * made that is everything.
   */
  cut = Number.POSITIVE_INFINITY;
  /** Place of the newest event that was sent live. */
  newest: StreamPlace = streamStart;
  /** Null while every event is sent when it is passed on. */
  held: HeldEvents | null = null;
  #memberships = 0;
  #owner: Buffer | null = null;
  #firstPosition = "";
  /** {@link shortHash} of the events and the shard that the client asks for; 0 for all. */
  readonly filter: number;

  /** @param cursor the value that the client connected with; empty for one that begins anew */
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

  /** Exclusive or of {@link shortHash} of the user's servers in the shard. */
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
   * @param cut.position of somebody who has everything up to the sequence
   * @param cut.servers of the user at that moment
   */
  makeCut({ sequence, position, servers }: Cut): void {
    this.cut = sequence;
    this.#firstPosition = position;
    this.#memberships = 0;
    this.#owner = null;
    for (const server of servers) this.toggleServer(server);
  }

  /** The user gained or lost a server. */
  toggleServer({ crc, idHash }: CountedServer): void {
    if (!this.isCut || !isInShard(this.query.shard, crc)) return;
    this.#memberships = (this.#memberships ^ idHash) >>> 0;
    this.#owner = null;
  }
}

/** Memory of its own: a piece of Node's shared pool would keep 8 KB for these few bytes as long as the connection lasts. */
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
