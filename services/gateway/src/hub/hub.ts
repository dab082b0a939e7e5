import { closeCodes, subjects } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { serverQueueMax, userQueueMax } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { Lane } from "../scheduling/lane.js";
import type { Interests } from "../stream/interest.js";
import type { LoadMemberships } from "./load-memberships.js";
import type { LoadPermissions } from "./load-permissions.js";
import { ServerEntry } from "./server-entry.js";
import { type MemberServer, UserEntry } from "./user-entry.js";

interface HubOptions {
  interests: Interests;
  loadMemberships: LoadMemberships;
  loadPermissions: LoadPermissions;
  metrics: GatewayMetrics;
  logger: Logger;
}

/** Which local connections belong to a user, and which local users to a server. */
export class Hub {
  readonly #users = new Map<string, UserEntry>();
  readonly #servers = new Map<string, ServerEntry>();
  /** The placing of each user in their servers, shared by all their connections. */
  readonly #placings = new WeakMap<UserEntry, Promise<void>>();

  constructor(private readonly options: HubOptions) {}

  user(userId: string): UserEntry | undefined {
    return this.#users.get(userId);
  }

  server(serverId: string): ServerEntry | undefined {
    return this.#servers.get(serverId);
  }

  *connections(): Iterable<Connection> {
    for (const user of this.#users.values()) yield* user.connections;
  }

  /**
   * Events for the connection's user gather in it from now on; all of them once the promise resolves.
   *
   * @throws when the database cannot be asked for the user's servers; the connection is still to be removed
   */
  async add(connection: Connection): Promise<void> {
    const user = this.#users.get(connection.userId) ?? this.#createUser(connection.userId);
    user.connections.push(connection);
    this.options.metrics.connections += 1;
    await this.#placed(user);
  }

  remove(connection: Connection): void {
    const user = this.#users.get(connection.userId);
    const index = user?.connections.indexOf(connection) ?? -1;
    if (user === undefined || index === -1) return;
    user.connections.splice(index, 1);
    this.options.metrics.connections -= 1;
    if (user.connections.length > 0) return;
    this.#users.delete(user.id);
    user.interest.end();
    user.lane.close();
    for (const server of user.servers) this.removeFrom(server, user);
  }

  /** Ends a user's part in a server, and the server's part in this node with its last user. */
  removeFrom(server: MemberServer, user: UserEntry): void {
    server.remove(user);
    this.endIfDeserted(server);
  }

  /**
   * Asks the database about those whose part in a server is not known, after the events that came before. One that joins
   * while it is being asked is not settled by the answer, so the server does not end with them.
   */
  settle(server: ServerEntry): void {
    server.lane.add(async () => {
      if (!server.knows(null)) {
        this.options.metrics.permissionReloads += 1;
        await server.learn(null);
      }
      this.endIfDeserted(server);
    });
  }

  endIfDeserted({ id }: MemberServer): void {
    const server = this.#servers.get(id);
    if (server === undefined || !server.deserted) return;
    this.#servers.delete(id);
    server.interest.end();
    server.lane.close();
  }

  /**
   * The entry of a server that a local user joined.
   *
   * @param joinedAt sequence of the event that says so: whatever the server has had since then, the user is to get
   * @returns whether it is new here, so that events since `joinedAt` may be missing until the subscription is in force
   */
  enter(serverId: string, joinedAt: number): { server: ServerEntry; isNew: boolean } {
    const known = this.#servers.get(serverId);
    return known === undefined
      ? { server: this.#createServer(serverId, joinedAt), isNew: true }
      : { server: known, isNew: false };
  }

  /** Closes connections whose events can no longer be told apart from missed ones: READY starts them anew. */
  resynchronise(users: Iterable<UserEntry>, reason: string): void {
    const connections = [...users].flatMap((user) => user.connections);
    this.options.metrics.resynchronisations += 1;
    this.options.logger.warn({ connections: connections.length, reason }, "connections are closed to start anew");
    for (const connection of connections) connection.close(closeCodes.goingAway);
  }

  resynchroniseAll(reason: string): void {
    this.resynchronise(this.#users.values(), reason);
  }

  #createUser(userId: string): UserEntry {
    const interest = this.options.interests.add(subjects.liveUser(userId));
    const lane = new Lane(
      userQueueMax,
      () => this.resynchronise([user], "a user's queue is full"),
      (err) => this.options.logger.warn({ err, userId }, "a user's events wait"),
    );
    const user: UserEntry = new UserEntry(userId, interest, lane);
    this.#users.set(userId, user);
    return user;
  }

  /** Connections that come together share the work, but not its failure: the next one tries again. */
  #placed(user: UserEntry): Promise<void> {
    const known = this.#placings.get(user);
    if (known !== undefined) return known;
    const placing = this.#place(user);
    this.#placings.set(user, placing);
    placing.catch(() => this.#placings.delete(user));
    return placing;
  }

  /** The order matters: a join or leave that the statement does not see yet arrives on the user's subject afterwards. */
  async #place(user: UserEntry): Promise<void> {
    const { interests, loadMemberships } = this.options;
    await interests.inForce();
    const readAt = performance.now();
    const changed = new Set<string>();
    user.changedServers = changed;
    const memberships = await loadMemberships(user.id).finally(() => {
      user.changedServers = null;
    });
    if (user.connections.length === 0) return;
    const fresh: ServerEntry[] = [];
    for (const { serverId, roles } of memberships) {
      let server = this.#servers.get(serverId);
      if (server === undefined) {
        server = this.#createServer(serverId);
        fresh.push(server);
      }
      if (changed.has(serverId)) {
        // Left or joined since the statement was sent: what it says may be older than that.
        server.join(user);
        this.settle(server);
      } else {
        server.admit(user, roles, readAt);
      }
    }
    if (fresh.length === 0) return;
    await interests.inForce();
    for (const server of fresh) server.subscribed();
  }

  #createServer(serverId: string, countsFrom?: number): ServerEntry {
    const interest = this.options.interests.add(subjects.liveServer(serverId), countsFrom);
    const lane = new Lane(
      serverQueueMax,
      () => this.resynchronise(server.everybody(), "a server's queue is full"),
      (err) => this.options.logger.warn({ err, serverId }, "a server's events wait"),
    );
    const server: ServerEntry = new ServerEntry(serverId, interest, lane, this.options.loadPermissions);
    this.#servers.set(serverId, server);
    return server;
  }
}
