import { setImmediate as turn } from "node:timers/promises";
import { closeCodes, subjects } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { serverQueueMax, userQueueMax } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { SerialQueue } from "../scheduling/serial-queue.js";
import type { Subscriptions } from "../stream/subscriptions.js";
import { FollowedThreads } from "./followed-threads.js";
import type { LoadMemberships } from "./load-memberships.js";
import type { LoadPartners } from "./load-partners.js";
import type { LoadPermissions } from "./load-permissions.js";
import { PresenceWatches } from "./presence-watches.js";
import { ServerEntry } from "./server-entry.js";
import { type MemberServer, UserEntry } from "./user-entry.js";
import { WatchIndex } from "./watch-index.js";

interface HubOptions {
  subscriptions: Pick<Subscriptions, "add" | "confirmed">;
  loadMemberships: LoadMemberships;
  loadPermissions: LoadPermissions;
  loadPartners: LoadPartners;
  /** Sends connections the joins and leaves whose result is loaded; rejects when it cannot read their content. */
  announce(server: ServerEntry): Promise<void>;
  metrics: GatewayMetrics;
  logger: Logger;
}

/** The registry of this node's connections by user, and of its users by server. */
export class Hub {
  readonly watches = new PresenceWatches();
  /** Which connections show which channels (docs/protocol/passive-servers.md#27). */
  readonly shown = new WatchIndex<Connection>();
  readonly followed = new FollowedThreads<UserEntry>();
  readonly #users = new Map<string, UserEntry>();
  readonly #servers = new Map<string, ServerEntry>();
  /** The load of each user's memberships, shared by all their connections. */
  readonly #loads = new WeakMap<UserEntry, Promise<void>>();
  /** The load of the DM partners of each user with a connection that gets their presence. */
  readonly #partnerLoads = new WeakMap<UserEntry, Promise<void>>();

  constructor(private readonly options: HubOptions) {}

  user(userId: string): UserEntry | undefined {
    return this.#users.get(userId);
  }

  server(serverId: string): ServerEntry | undefined {
    return this.#servers.get(serverId);
  }

  servers(): Iterable<ServerEntry> {
    return this.#servers.values();
  }

  *connections(): Iterable<Connection> {
    for (const user of this.#users.values()) yield* user.connections;
  }

  /**
   * Registers a connection. It receives some events of its user at once, and all of them once the promise resolves.
   *
   * @throws when the user's memberships or DM partners cannot be read; the caller must still remove the connection
   */
  async add(connection: Connection): Promise<void> {
    const user = this.#users.get(connection.userId) ?? this.#createUser(connection.userId);
    const { traits } = user;
    user.connections.push(connection);
    for (const channelId of connection.shown ?? []) this.shown.watch(connection, channelId);
    this.options.metrics.connections += 1;
    if (traits !== user.traits) this.#updateAudiences(user);
    await shared(this.#loads, user, () => this.#load(user));
    if (connection.query.presence === "subscribed") {
      await shared(this.#partnerLoads, user, () => this.#loadPartners(user));
    }
  }

  remove(connection: Connection): void {
    const user = this.#users.get(connection.userId);
    const index = user?.connections.indexOf(connection) ?? -1;
    if (user === undefined || index === -1) return;
    user.connections.splice(index, 1);
    this.options.metrics.connections -= 1;
    this.watches.forget(connection);
    this.shown.forget(connection);
    if (user.connections.length > 0) {
      this.#updateAudiences(user);
      return;
    }
    this.#users.delete(user.id);
    this.watches.partners.forget(user);
    this.followed.forget(user);
    user.subscription.unsubscribe();
    user.queue.close();
    for (const server of [...user.servers]) this.removeFrom(server, user);
  }

  /** Another set of channels is in view on a connection that shows channels. */
  show(connection: Connection, channelIds: ReadonlySet<string>): void {
    connection.show(channelIds);
    this.shown.forget(connection);
    for (const channelId of channelIds) this.shown.watch(connection, channelId);
  }

  /** Removes a user from a server, and the server from this node with its last user. */
  removeFrom(server: MemberServer, user: UserEntry): void {
    server.remove(user);
    this.removeIfEmpty(server);
  }

  /** Removes a deleted server with all its users. */
  end(server: ServerEntry): void {
    server.end();
    this.removeIfEmpty(server);
  }

  /**
   * Queues a load of the pending users' memberships behind the events received before. A user who joins while the
   * statement runs stays pending whatever its result, so the server is not removed in between.
   */
  loadPending(server: ServerEntry): void {
    server.queue.add(async () => {
      if (!server.isLoaded(null)) await this.load(server, null);
      this.removeIfEmpty(server);
    });
  }

  /**
   * Runs {@link ServerEntry.load}, and announces the joins and leaves that it decides: before any other event, because
   * events wait for them. Only the server's queue calls it.
   */
  async load(server: ServerEntry, channelId: string | null): Promise<void> {
    this.options.metrics.permissionReloads += 1;
    await server.load(channelId);
    if (server.announcements.isEmpty) return;
    await this.options.announce(server);
    // Events in the users' queues that waited for an announcement, as their next join, take effect before another
    // event.
    await turn();
  }

  removeIfEmpty({ id }: MemberServer): void {
    const server = this.#servers.get(id);
    if (server === undefined || !server.isEmpty) return;
    this.#servers.delete(id);
    server.setActivity(null);
    server.subscription.unsubscribe();
    server.queue.close();
  }

  /**
   * The entry of a server that a local user joined.
   *
   * @param joinedAt sequence of the join's event: the user must receive every later event of the server
   * @returns isNew: events since `joinedAt` may be missing until the new subscription is confirmed
   */
  getOrCreateServer(serverId: string, joinedAt: number): { server: ServerEntry; isNew: boolean } {
    const known = this.#servers.get(serverId);
    return known === undefined
      ? { server: this.#createServer(serverId, joinedAt), isNew: true }
      : { server: known, isNew: false };
  }

  /**
   * Closes connections that may have missed events which cannot be recovered; the clients reconnect and read READY.
   *
   * @param isConcerned whether this may be so for a connection of the users; by default for each
   */
  closeForResync(
    users: Iterable<UserEntry>,
    reason: string,
    isConcerned: (connection: Connection) => boolean = () => true,
  ): void {
    const connections = [...users].flatMap((user) => user.connections.filter(isConcerned));
    if (connections.length === 0) return;
    this.options.metrics.resynchronisations += 1;
    this.options.logger.warn({ connections: connections.length, reason }, "connections are closed to start anew");
    for (const connection of connections) connection.close(closeCodes.goingAway);
  }

  closeAllForResync(reason: string): void {
    this.closeForResync(this.#users.values(), reason);
  }

  #createUser(userId: string): UserEntry {
    const subscription = this.options.subscriptions.add(subjects.liveUser(userId));
    const queue = new SerialQueue(
      userQueueMax,
      () => this.closeForResync([user], "a user's queue is full"),
      (err) => this.options.logger.warn({ err, userId }, "a user's events wait"),
    );
    const user: UserEntry = new UserEntry(userId, subscription, queue);
    this.#users.set(userId, user);
    return user;
  }

  #updateAudiences(user: UserEntry): void {
    for (const server of user.servers) server.updateAudiences(user);
  }

  /** The user's subscription is confirmed, so a DM channel created after the snapshot is received as an event. */
  async #loadPartners(user: UserEntry): Promise<void> {
    user.watchesPartners = true;
    const partners = await this.options.loadPartners(user.id);
    if (user.connections.length === 0) return;
    for (const partner of partners) this.watches.partners.watch(user, partner);
  }

  /** Subscribes before it reads, so a join or leave after the statement's snapshot is received as an event. */
  async #load(user: UserEntry): Promise<void> {
    const { subscriptions, loadMemberships } = this.options;
    await subscriptions.confirmed();
    const readAt = performance.now();
    const changed = new Set<string>();
    user.changedServers = changed;
    const memberships = await loadMemberships(user.id).finally(() => {
      user.changedServers = null;
    });
    user.areServersLoaded = true;
    if (user.connections.length === 0) return;
    const created: ServerEntry[] = [];
    for (const { serverId, roles } of memberships) {
      let server = this.#servers.get(serverId);
      if (server === undefined) {
        server = this.#createServer(serverId);
        created.push(server);
      }
      if (changed.has(serverId)) {
        // Left or joined since the statement was sent, so its row may be outdated.
        server.join(user);
        this.loadPending(server);
      } else {
        server.addLoaded(user, roles, readAt);
      }
    }
    if (created.length === 0) return;
    await subscriptions.confirmed();
    for (const server of created) server.confirmSubscription();
  }

  #createServer(serverId: string, startAfter?: number): ServerEntry {
    const subscription = this.options.subscriptions.add(subjects.liveServer(serverId), startAfter);
    const queue = new SerialQueue(
      serverQueueMax,
      () => this.closeForResync(server.allUsers(), "a server's queue is full"),
      (err) => this.options.logger.warn({ err, serverId }, "a server's events wait"),
    );
    const server: ServerEntry = new ServerEntry(serverId, subscription, queue, this.options.loadPermissions);
    this.#servers.set(serverId, server);
    return server;
  }
}

/** Concurrent connections of a user share one load; after a failure the next connection repeats it. */
function shared(loads: WeakMap<UserEntry, Promise<void>>, user: UserEntry, load: () => Promise<void>): Promise<void> {
  const known = loads.get(user);
  if (known !== undefined) return known;
  const loading = load();
  loads.set(user, loading);
  loading.catch(() => loads.delete(user));
  return loading;
}
