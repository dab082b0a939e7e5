import type { Connection } from "../connection/connection.js";
import type { CountedServer } from "../cursors/numbering.js";
import type { PendingEvents } from "../cursors/pending-events.js";
import type { Follower } from "../cursors/positions.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import type { Subscription } from "../stream/subscriptions.js";

/** The part of a server's entry that the entries of its users need. */
export interface MemberServer extends CountedServer {
  /** Whether connections that show channels get only events concerning these (docs/protocol/passive-servers.md#27). */
  readonly isPassive: boolean;
  readonly subscription: Subscription;
  /** Removes the user from the server's entry. */
  remove(user: UserEntry): void;
  /** Called when {@link UserEntry.traits} may have changed. */
  updateAudiences(user: UserEntry): void;
}

/** A user with connections to this node. */
export class UserEntry implements Follower {
  /** Oldest first. */
  readonly connections: Connection[] = [];
  /** The servers in which the user has any state: member, pending or removed. */
  readonly #servers = new Set<MemberServer>();
  /** Servers that the user joined or left while their memberships are being loaded; null at other times. */
  changedServers: Set<string> | null = null;
  /** Whether their memberships have been loaded, which READY waits for. */
  areServersLoaded = false;
  /** Whether new DM channels are added to the partners that the user watches. */
  watchesPartners = false;

  constructor(
    readonly id: string,
    readonly subscription: Subscription,
    readonly queue: SerialQueue,
  ) {}

  get servers(): ReadonlySet<MemberServer> {
    return this.#servers;
  }

  enter(server: MemberServer): void {
    if (this.#servers.has(server)) return;
    this.#servers.add(server);
    for (const { numbering } of this.connections) numbering?.toggleServer(server);
  }

  exit(server: MemberServer): void {
    if (!this.#servers.delete(server)) return;
    for (const { numbering } of this.connections) numbering?.toggleServer(server);
  }

  *followed(): Iterable<PendingEvents> {
    yield this.subscription.pending;
    for (const { subscription } of this.#servers) yield subscription.pending;
  }

  /** Whether a connection gets the presence of all co-members. */
  get hearsComembers(): boolean {
    return this.connections.some(({ query }) => query.presence === "all");
  }

  /** Whether a connection gets the joins, changes and leaves of all members. */
  get watchesMembers(): boolean {
    return this.connections.some(({ query }) => query.watchesMembers);
  }

  /** Whether a connection shows channels: it has `view` (docs/protocol/passive-servers.md#27). */
  get showsChannels(): boolean {
    return this.connections.some(({ query }) => query.view !== null);
  }

  /** Whether a connection gets everything also of passive servers. */
  get hearsEverything(): boolean {
    return this.connections.some(({ query }) => query.view === null);
  }

  /** The traits that decide which audiences of their servers the user is in; equal while none of them has changed. */
  get traits(): number {
    const traits = [this.hearsComembers, this.watchesMembers, this.showsChannels, this.hearsEverything];
    return traits.reduce((bits, trait) => 2 * bits + Number(trait), 0);
  }

  /** Whether a connection gets the whole stream of changes (docs/protocol/events.md#23.1). */
  get hearsChanges(): boolean {
    return this.connections.some(({ query }) => query.version === 2);
  }
}
