import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import { type Messaging, publishStored } from "@parley/messaging";
import { createBatcher, type MinimalLogger } from "@parley/service-runtime";
import { batchMax, inFlightMax } from "./limits.js";
import type { LocalConnection } from "./local-connection.js";
import type { Registered, Registration, Registry, UserConnection } from "./registry.js";
import type { SaveTransition } from "./save.js";
import { createStoreView } from "./store-view.js";

/** A closed connection that Redis still has. */
interface PendingUnregister extends UserConnection {
  lease: string;
  /** Time by `performance.now()` until which its user still counts as connected; 0 without a grace. */
  graceEndsAt: number;
}

const opensMax = 3;

/**
 * The connections of one gateway process, and its lease in Redis. It has no timers: the owner calls
 * {@link PresenceNode.renew} and {@link PresenceNode.register} periodically.
 *
 * A lease that was lost (after a long pause or an outage, or because Redis was emptied) is never renewed again: the
 * process opens a new one and registers all its connections under it.
 */
export class PresenceNode {
  readonly #nodeId: string;
  readonly #registry: Registry;
  readonly #messaging: Messaging;
  readonly #save: SaveTransition;
  readonly #logger: MinimalLogger;
  readonly #connections = new Map<string, LocalConnection>();
  #pendingUnregisters: PendingUnregister[] = [];
  #lease: string;
  #isOpen = false;
  #opening: Promise<void> | null = null;
  /** Scripts for registering and unregistering that were sent so far, and those without an answer. */
  #sent = 0;
  #underWay = 0;
  readonly #registerOne: (connectionId: string) => Promise<Registered | "gone">;
  readonly #storeView: (connectionId: string) => Promise<undefined>;

  constructor(options: {
    nodeId: string;
    registry: Registry;
    messaging: Messaging;
    save: SaveTransition;
    logger: MinimalLogger;
  }) {
    this.#nodeId = options.nodeId;
    this.#registry = options.registry;
    this.#messaging = options.messaging;
    this.#save = options.save;
    this.#logger = options.logger;
    this.#lease = this.#newLease();
    this.#registerOne = createBatcher({
      work: (connectionIds) => this.#registerNew(connectionIds),
      batchMax,
      inFlightMax,
    });
    this.#storeView = createStoreView({
      registry: options.registry,
      lease: () => this.#lease,
      find: (connectionId) => this.#connections.get(connectionId),
    });
  }

  /** The lease that connections are registered under from now on. */
  get lease(): string {
    return this.#lease;
  }

  /**
   * Adds a connection and saves the resulting status in PostgreSQL.
   *
   * @returns whether the user has been registered; otherwise maintenance does it as soon as Redis is back
   */
  async connect({ userId, connectionId, isNumbered }: UserConnection): Promise<boolean> {
    const registering = { state: "registering", order: null, lease: null, view: "", storedView: "" } as const;
    const connection: LocalConnection = { userId, isNumbered, ...registering };
    this.#connections.set(connectionId, connection);
    try {
      const registered = await this.#registerOne(connectionId);
      if (registered !== "gone") await this.#afterRegistering([{ userId, registered }]);
      return true;
    } catch (err) {
      connection.state = "unregistered";
      this.#logger.warn({ err, user_id: userId }, "a connection is not registered yet");
      return false;
    }
  }

  /**
   * Removes a connection and saves the resulting status in PostgreSQL. Unknown ones are ignored.
   *
   * @param graceMs for how long the user of a numbered one still counts as connected
   */
  async disconnect(connectionId: string, graceMs: number): Promise<void> {
    const connection = this.#connections.get(connectionId);
    if (connection === undefined) return;
    this.#connections.delete(connectionId);
    const { userId, isNumbered, lease } = connection;
    if (lease === null) return;
    const graceEndsAt = isNumbered ? performance.now() + graceMs : 0;
    this.#pendingUnregisters.push({ lease, userId, connectionId, isNumbered, graceEndsAt });
    await this.#sendUnregisters();
  }

  /**
   * Notes which channels a connection shows, none when it is not looked at; the latest call counts. Resolves when Redis has it, or
   * as soon as that has to wait: for the registration of the connection, or for Redis, after which maintenance stores it. Unknown
   * connections are ignored.
   */
  async setView(connectionId: string, channelIds: readonly string[]): Promise<void> {
    const connection = this.#connections.get(connectionId);
    if (connection === undefined) return;
    connection.view = channelIds.join(" ");
    if (connection.state !== "registered") return;
    try {
      await this.#storeView(connectionId);
    } catch (err) {
      this.#logger.warn({ err, user_id: connection.userId }, "what a connection shows is not stored yet");
    }
  }

  /**
   * Renews the lease. When it is lost, or when Redis does not have exactly the connections of this process, opens a new
   * one and registers all of them under it.
   */
  async renew(): Promise<void> {
    const lease = this.#lease;
    const isQuiet = this.#underWay === 0 && this.#pendingUnregisters.length === 0;
    const sent = this.#sent;
    const expected = this.#registeredCount();
    const count = await this.#registry.renew(lease, { open: false });
    if (count === null) {
      await this.reopen(lease);
    } else if (isQuiet && sent === this.#sent && count !== expected) {
      // No script was running before, during or after the renewal, so the difference is not caused by a race.
      this.#logger.warn({ registered: count, connections: expected }, "presence differs from the connections");
      await this.reopen(lease);
      await this.#registry.close(lease);
    }
  }

  /**
   * Unregisters closed connections that Redis still has; registers open ones without, or under an old lease; stores the
   * channels that connections show.
   */
  async register(): Promise<void> {
    await this.#sendUnregisters();
    await this.#registerStale();
    const stale = [...this.#connections].flatMap(([connectionId, { state, view, storedView }]) =>
      state === "registered" && view !== storedView ? [connectionId] : [],
    );
    await Promise.all(stale.map(this.#storeView));
  }

  /** Opens a new lease instead of this one and registers all connections under it; concurrent calls share one run. */
  async reopen(lease: string): Promise<void> {
    if (lease !== this.#lease) return this.#opening ?? undefined;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  /** Gives the lease up: connections that are still registered under it are removed at once by the other processes. */
  async close(): Promise<void> {
    if (this.#isOpen) await this.#registry.close(this.#lease);
  }

  #newLease(): string {
    return `${this.#nodeId}#${randomUUID()}`;
  }

  #registeredCount(): number {
    let count = 0;
    for (const { state, lease } of this.#connections.values()) {
      if (state === "registered" && lease === this.#lease) count += 1;
    }
    return count;
  }

  async #open(): Promise<void> {
    if (this.#isOpen) this.#logger.warn({ connections: this.#connections.size }, "the presence lease was lost");
    const lease = this.#newLease();
    await this.#registry.renew(lease, { open: true });
    this.#isOpen = true;
    this.#lease = lease;
    await this.#registerStale();
  }

  async #registerNew(connectionIds: readonly string[]): Promise<(Registered | "gone")[]> {
    for (let attempt = 0; attempt < opensMax; attempt += 1) {
      const lease = this.#lease;
      const registered = await this.#send(lease, connectionIds, { repair: false });
      if (registered !== null) return connectionIds.map((connectionId) => registered.get(connectionId) ?? "gone");
      await this.reopen(lease);
    }
    throw new Error("the presence lease is lost as soon as it is opened");
  }

  async #registerStale(): Promise<void> {
    const lease = this.#lease;
    const stale = [...this.#connections].flatMap(([connectionId, connection]) =>
      connection.state === "unregistered" || (connection.state === "registered" && connection.lease !== lease)
        ? [connectionId]
        : [],
    );
    for (let start = 0; start < stale.length && lease === this.#lease; start += batchMax) {
      const registered = await this.#send(lease, stale.slice(start, start + batchMax), { repair: true });
      if (registered === null) return;
      // Not awaited: renewing the lease must not wait for a slow database. Saving never rejects.
      void this.#afterRegistering(
        [...registered].flatMap(([connectionId, answer]) => {
          const userId = this.#connections.get(connectionId)?.userId;
          return userId === undefined ? [] : [{ userId, registered: answer }];
        }),
      );
    }
  }

  /** Registers those that are still open; null when the lease is lost. */
  async #send(lease: string, connectionIds: readonly string[], options: { repair: boolean }) {
    const registrations: Registration[] = [];
    for (const connectionId of connectionIds) {
      const connection = this.#connections.get(connectionId);
      if (connection === undefined) continue;
      const { userId, isNumbered, order, lease: previousLease, view } = connection;
      registrations.push({ userId, connectionId, isNumbered, order, previousLease, view });
      // Noted before the answer: a disconnect that comes now is sent after this, and must name this lease.
      connection.lease = lease;
    }
    if (registrations.length === 0) return new Map<string, Registered>();
    this.#sent += 1;
    this.#underWay += 1;
    try {
      const answers = await this.#registry.register(lease, registrations, options);
      return answers === null ? null : this.#noteRegistered(registrations, answers);
    } finally {
      this.#underWay -= 1;
    }
  }

  #noteRegistered(registrations: readonly Registration[], answers: readonly Registered[]): Map<string, Registered> {
    const registered = new Map<string, Registered>();
    for (const [index, { connectionId, view }] of registrations.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      registered.set(connectionId, answer);
      const connection = this.#connections.get(connectionId);
      if (connection === undefined) continue;
      connection.state = "registered";
      connection.order = answer.order;
      connection.storedView = view;
      // It has changed while the script ran. Does not reject.
      if (connection.view !== view) void this.setView(connectionId, connection.view.split(" "));
    }
    return registered;
  }

  async #afterRegistering(connections: readonly { userId: string; registered: Registered }[]): Promise<void> {
    for (const { userId, registered } of connections) {
      for (const connection_id of registered.evicted) {
        const event = createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id });
        // Without NATS the event is lost, and the user keeps one connection too many until it ends.
        publishStored(this.#messaging, { ...event, id: `close-${connection_id}` }).catch((err: unknown) => {
          this.#logger.warn({ err }, "a connection too many could not be closed");
        });
      }
    }
    await Promise.all(connections.map(({ userId, registered }) => (registered.unsaved ? this.#save(userId) : null)));
  }

  async #sendUnregisters(): Promise<void> {
    while (this.#pendingUnregisters.length > 0) {
      const connections = this.#pendingUnregisters.splice(0, batchMax);
      this.#sent += 1;
      this.#underWay += 1;
      try {
        const now = performance.now();
        const last = await this.#registry.unregister(
          connections.map((connection) => ({ ...connection, graceMs: connection.graceEndsAt - now })),
        );
        await Promise.all(connections.map(({ userId }, index) => (last[index] ? this.#save(userId) : null)));
      } catch {
        // Redis is away, which its connection has logged; unregistering twice is harmless.
        this.#pendingUnregisters.push(...connections);
        return;
      } finally {
        this.#underWay -= 1;
      }
    }
  }
}
