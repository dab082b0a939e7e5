import { setTimeout as pause } from "node:timers/promises";
import { closeCodes, dispatchFrame, type ViewAck } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { passiveDecisionMs, passiveIntervalMs } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { isInShard } from "../query/shard.js";
import type { LoadFollowed } from "./load-followed.js";
import type { LoadPassive } from "./load-passive.js";
import type { TallyLoader } from "./load-tallies.js";
import { ServerActivity } from "./server-activity.js";

/**
 * Decides which servers are passive, and notifies connections that show channels (docs/protocol/passive-servers.md#27). A server
 * becomes passive, and active again, between two events of its queue.
 */
export class PassiveServers {
  /** The first decision about each server. */
  readonly #decisions = new WeakMap<ServerEntry, Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(
    private readonly options: {
      hub: Hub;
      loadPassive: LoadPassive;
      loadFollowed: LoadFollowed;
      loader: TallyLoader;
      metrics: GatewayMetrics;
      logger: Logger;
      /** Period of the decisions; {@link passiveIntervalMs} by default. */
      intervalMs?: number | undefined;
    },
  ) {
    const { hub, metrics } = options;
    metrics.readPassive = () => {
      const servers = [...hub.servers()];
      const channels = servers.reduce((sum, { activity }) => sum + (activity?.channelsCounted ?? 0), 0);
      return { servers: servers.filter(({ isPassive }) => isPassive).length, channels };
    };
    this.#schedule();
  }

  /** Resolves when the gateway knows which events a new connection gets; after {@link passiveDecisionMs} without. */
  async begin(connection: Connection): Promise<void> {
    if (connection.shown === null) return;
    const { hub, loadFollowed, logger } = this.options;
    const user = hub.user(connection.userId);
    if (user === undefined) return;
    try {
      await Promise.all([
        hub.followed.load(user, () => loadFollowed(user.id)),
        ...[...user.servers].map(({ id }) => this.#decided(hub.server(id))),
      ]);
    } catch (err) {
      logger.warn({ err, user_id: user.id }, "what concerns a user is not known yet");
    }
    for (const { id } of user.servers) hub.server(id)?.activity?.begin(connection);
  }

  /** The servers that are passive for a connection; null for one that is sent everything. */
  of(connection: Connection): string[] | null {
    if (connection.shown === null) return null;
    const servers = this.options.hub.user(connection.userId)?.servers ?? [];
    return [...servers].flatMap((server) =>
      server.isPassive && isInShard(connection.query.shard, server.crc) ? [server.id] : [],
    );
  }

  /** Sends VIEW_ACK, behind the events that the connection was sent before. */
  acknowledge(connection: Connection, channelIds: Iterable<string>): void {
    const ack: ViewAck = { channel_ids: [...channelIds], passive: this.of(connection) ?? [] };
    connection.send(encodeTextFrame(Buffer.from(dispatchFrame("VIEW_ACK", JSON.stringify(ack)))), performance.now());
  }

  /** A user has become a member of a server while they are connected. */
  joined(server: ServerEntry, user: UserEntry): void {
    if (!server.isPassive) {
      this.#decided(server).catch(() => undefined);
      return;
    }
    for (const connection of user.connections) {
      if (connection.shown === null) continue;
      server.activity?.begin(connection);
      if (isInShard(connection.query.shard, server.crc)) this.acknowledge(connection, connection.shown);
    }
  }

  /**
   * Behind RESUMED the client gets the sums of the omitted events.
   *
   * @param missed.since when it got its last frame, in seconds since 1970
   */
  resumed(connection: Connection, missed: { leftOut: ReadonlyMap<string, Iterable<string>>; since: number }): void {
    if (connection.shown === null) return;
    const { hub, logger } = this.options;
    for (const { id } of hub.user(connection.userId)?.servers ?? []) {
      const sending = hub.server(id)?.activity?.resume(connection, missed.leftOut.get(id) ?? [], missed.since);
      sending?.catch((err: unknown) => {
        logger.warn({ err, server_id: id }, "a connection is not told what was left out");
        // It tries again.
        connection.close(closeCodes.goingAway);
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #decided(server: ServerEntry | undefined): Promise<void> {
    if (server === undefined) return Promise.resolve();
    const known = this.#decisions.get(server);
    if (known !== undefined) return known;
    const applied = this.#decide(server).then((decision) => decision.applied);
    const deciding = Promise.race([applied, pause(passiveDecisionMs, undefined, { ref: false })]);
    this.#decisions.set(server, deciding);
    deciding.catch(() => this.#decisions.delete(server));
    return deciding;
  }

  #schedule(): void {
    const { hub, logger, intervalMs = passiveIntervalMs } = this.options;
    this.#timer = setTimeout(async () => {
      const servers = [...hub.servers()].filter(({ showing }) => showing.size > 0);
      const decided = await Promise.allSettled(servers.map((server) => this.#decide(server)));
      const failed = decided.find((result) => result.status === "rejected");
      if (failed !== undefined) logger.warn({ err: failed.reason }, "which servers are large could not be read");
      if (!this.#isClosed) this.#schedule();
    }, intervalMs).unref();
  }

  /** @returns resolves when the server has changed its state; never, when the hub removes the server meanwhile */
  async #decide(server: ServerEntry): Promise<{ applied: Promise<void> }> {
    const decision = await this.options.loadPassive({ id: server.id, isPassive: server.isPassive });
    const isSame = decision.isPassive === server.isPassive && decision.wasPassive === (server.activity !== null);
    if (isSame || this.#isClosed) return { applied: Promise.resolve() };
    const applied = new Promise<void>((resolve) => {
      server.queue.add(async () => {
        if (decision.isPassive || decision.wasPassive) this.#follow(server);
        else if (!server.isPassive) server.setActivity(null);
        if (decision.isPassive !== server.isPassive) {
          if (server.isPassive) await server.activity?.sendDue();
          server.setPassive(decision.isPassive);
          this.#acknowledgeAll(server);
        }
        resolve();
      });
    });
    return { applied };
  }

  #follow(server: ServerEntry): void {
    if (server.activity === null) server.setActivity(new ServerActivity(server, this.options));
  }

  #acknowledgeAll(server: ServerEntry): void {
    for (const { connections } of server.showing)
      for (const connection of connections)
        if (connection.shown !== null && isInShard(connection.query.shard, server.crc))
          this.acknowledge(connection, connection.shown);
  }
}
