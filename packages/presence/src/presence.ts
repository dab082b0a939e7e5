import { KeyedMutex, repeat } from "@parley/service-runtime";
import { createMaintenance } from "./maintenance.js";
import { PresenceNode } from "./node.js";
import { defaultTimes, type GatewayPresenceOptions, type PresenceOptions } from "./options.js";
import { createRegistry } from "./registry.js";
import { createSaves } from "./save.js";
import { type SeenStatus, setStatus } from "./set-status.js";
import type { StatusChange } from "./status-row.js";

/** Presence for a process that holds no connections (api). */
export type PresenceStatuses = Pick<Presence, "setStatus" | "connectionCount">;

export function createPresenceStatuses(options: PresenceOptions): PresenceStatuses {
  const registry = createRegistry({ redis: options.redis, times: defaultTimes });
  const dependencies = { ...options, registry };
  const { save } = createSaves(dependencies);
  return {
    setStatus: (userId, change) => setStatus({ ...dependencies, save }, { userId, change, lease: null }),
    connectionCount: registry.count,
  };
}

/**
 * Presence for a gateway process (docs/protocol/connecting.md#14.6). Opens its lease, renews it and does its share of maintenance
 * from now on until `close`. Calls for one user take effect in the order in which they are made.
 */
export type Presence = ReturnType<typeof createPresence>;

/** @param options.nodeId part of the lease, to recognise the process in logs; the lease is unique without it */
export function createPresence(options: GatewayPresenceOptions) {
  const { redis, logger } = options;
  const times = { ...defaultTimes, ...options.times };
  const { end, ...presence } = assembleGatewayPresence(options);
  // The lease is renewed beside maintenance: maintenance must never delay a renewal.
  const loops = [
    repeat(async () => {
      if (!redis.ready) return;
      try {
        await presence.node.renew();
      } catch (err) {
        logger.warn({ err }, "the presence lease could not be renewed");
      }
    }, times.renewIntervalMs),
    repeat(async () => {
      if (redis.ready) await presence.maintenance.run();
    }, times.maintainIntervalMs),
    repeat(async () => {
      if (redis.ready) await presence.maintenance.expireGraces();
    }, times.graceCheckIntervalMs),
  ];
  const { connect, disconnect, setView, cancelGrace, setStatus, connectionCount } = presence;
  return {
    connect,
    disconnect,
    setView,
    cancelGrace,
    setStatus,
    connectionCount,
    /** Waits for running work, then releases the lease, so that others remove the remaining connections at once. */
    async close(): Promise<void> {
      await Promise.all(loops.map((stop) => stop()));
      await end();
    },
  };
}

/** The parts of a gateway's presence, without timers. */
export function assembleGatewayPresence(options: GatewayPresenceOptions) {
  const { nodeId, redis, logger } = options;
  const times = { ...defaultTimes, ...options.times };
  const registry = createRegistry({ redis, times });
  const saves = createSaves({ ...options, registry });
  const dependencies = { ...options, registry, save: saves.save };
  const node = new PresenceNode({ ...dependencies, nodeId });
  const users = new KeyedMutex();

  return {
    node,
    maintenance: createMaintenance({ ...dependencies, node }),
    /**
     * Registers a connection. When it resolves, the resulting status is saved, so READY contains it, and has been sent
     * to co-members. Beyond 50 connections of the user in one shard, SESSION_CLOSE is published for the oldest one.
     * Never rejects: after an outage of Redis or PostgreSQL, maintenance registers and saves the missing parts.
     *
     * @param connectionId made by `createConnectionId`; unique over all processes, without spaces
     * @param kind.isNumbered whether its client may continue it (docs/protocol/continuing.md#19.1)
     * @returns whether the connection is registered; false when that has to wait for Redis
     */
    connect: (userId: string, connectionId: string, { isNumbered = false } = {}): Promise<boolean> =>
      users.run(userId, () => node.connect({ userId, connectionId, isNumbered })),
    /**
     * Unregisters a connection. If it was the user's last one, ends their voice state, then saves `offline` and sends it
     * to co-members. After the loss of a numbered connection any gateway does so when `times.resumeGraceMs` have passed,
     * unless the user connects before (docs/protocol/continuing.md#19.4). Never rejects; unknown connections are ignored.
     *
     * @param end.isLost whether the connection ended without a close by the client
     */
    disconnect: (userId: string, connectionId: string, { isLost = false } = {}): Promise<void> =>
      users.run(userId, () => node.disconnect(connectionId, isLost ? times.resumeGraceMs : 0)),
    /**
     * Notes which channels a connection shows to a user who looks at them, none when nobody does; `createViews` reads
     * that in any process. The latest call counts, until the connection ends or its gateway dies. Resolves when Redis
     * has it, if Redis can be reached; otherwise maintenance stores it. Never rejects.
     */
    setView: (connectionId: string, channelIds: readonly string[]): Promise<void> =>
      node.setView(connectionId, channelIds),
    /**
     * To be called when all account sessions of the user have ended, so that no client can continue a connection. The
     * user's grace ends at once, and connections of these sessions that are lost later have none. Any number of gateways
     * may call it for the same user. Never rejects: without Redis, the grace ends after `times.resumeGraceMs`.
     */
    cancelGrace: (userId: string): Promise<void> =>
      users.run(userId, async () => {
        try {
          if (await registry.cancelGrace(userId)) await saves.save(userId);
        } catch (err) {
          logger.warn({ err, user_id: userId }, "the grace of lost connections could not be cancelled; it expires");
        }
      }),
    /**
     * Saves the status that the user sets and sends PRESENCE_UPDATE to co-members, also when nothing changed. Absent
     * fields stay unchanged; null or "" clears a text. The caller has validated the texts.
     *
     * @returns the presence as others see it from now on; null when the account is deleted
     * @throws the error of the database
     */
    setStatus: (userId: string, change: StatusChange): Promise<SeenStatus | null> =>
      users.run(userId, () => {
        const { lease } = node;
        return setStatus(dependencies, { userId, change, lease: { id: lease, onLost: () => node.reopen(lease) } });
      }),
    /** Open gateway connections of all running processes; rejects when Redis is out of reach. */
    connectionCount: registry.count,
    /** Resolves when every transition that this process has noticed is saved, or left to maintenance. */
    settled: saves.end,
    /** Waits for running work, then releases the lease. */
    async end(): Promise<void> {
      await users.idle();
      await saves.end();
      try {
        await node.close();
      } catch (err) {
        logger.warn({ err }, "the presence lease could not be given up; it expires");
      }
    },
  };
}
