import { assembleGatewayPresence } from "./assemble.js";
import { defaultTimes, type GatewayPresenceOptions, type PresenceOptions } from "./options.js";
import { createRegistry } from "./registry.js";
import { createSaves } from "./save.js";
import { type SeenStatus, setStatus } from "./set-status.js";
import type { StatusChange } from "./status-row.js";

/** Presence as a process without connections uses it. */
export interface PresenceStatuses {
  /**
   * Saves what the user sets and sends PRESENCE_UPDATE to co-members, also when nothing changed
   * (docs/interface.md#14.6). What is left out stays as it is, null or "" clears a text; texts are checked by the
   * caller.
   *
   * @returns what the user is seen as from now on; null when the account is gone
   * @throws what the database throws
   */
  setStatus(userId: string, change: StatusChange): Promise<SeenStatus | null>;
  /**
   * Open gateway connections of all living processes.
   *
   * @throws when Redis is out of reach
   */
  connectionCount(): Promise<number>;
}

/**
 * Presence as a gateway uses it (docs/interface.md#14.6). Calls for one user take effect in the order in which they are
 * made.
 */
export interface Presence extends PresenceStatuses {
  /**
   * Counts a connection. When it resolves, the status that results from it is saved, so READY shows it; it has been sent
   * to co-members. Beyond 50 connections of the user in one shard, SESSION_CLOSE goes out for the oldest. Never rejects: without Redis
   * or PostgreSQL, maintenance catches up.
   *
   * @param connectionId made by `createConnectionId`; unique over all processes, without spaces
   * @param kind.isNumbered whether its client may continue it; false unless given (docs/interface.md#19.1)
   * @returns whether the connection is registered; false when that has to wait for Redis
   */
  connect(userId: string, connectionId: string, kind?: { isNumbered: boolean }): Promise<boolean>;
  /**
   * Counts a connection no more. With the user's last one, ends their voice state, then saves `offline` and
   * sends it to co-members; if it is numbered and lost, any gateway does so after `times.resumeGraceMs`, unless the user
   * connects before (docs/interface.md#19.4). Never rejects; unknown connections are ignored.
   *
   * @param end.isLost whether it ended otherwise than by the client's wish; false unless given
   */
  disconnect(userId: string, connectionId: string, end?: { isLost: boolean }): Promise<void>;
  /**
   * All sessions of the user have ended, so nobody can continue: what lost connections keep of their presence ends at
   * once, and connections of these sessions keep nothing when they are lost later. Any number of gateways may call it.
   * Never rejects: without Redis it ends with `times.resumeGraceMs`.
   */
  endKept(userId: string): Promise<void>;
  /** Waits for what is under way, then releases the lease, so that other processes reap the remaining connections at once. */
  close(): Promise<void>;
}

/** Presence for a process that holds no connections (api). */
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
 * Presence for a gateway process. Opens its lease, renews it and does its share of maintenance from now on until
 * `close`.
 *
 * @param options.nodeId part of the lease, to recognise the process in logs and in Redis; the lease is unique without it
 */
export function createPresence(options: GatewayPresenceOptions): Presence {
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
      if (redis.ready) await presence.maintenance.lapse();
    }, times.lapseIntervalMs),
  ];
  const { connect, disconnect, endKept, setStatus, connectionCount } = presence;
  return {
    connect,
    disconnect,
    endKept,
    setStatus,
    connectionCount,
    async close() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await end();
    },
  };
}

/**
 * Does the work again and again, a pause after each end, from now on until `stop`.
 *
 * @param work must not reject
 * @returns `stop` resolves when the work under way is done
 */
function repeat(work: () => Promise<void>, pauseMs: number): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const round = () => {
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(round, pauseMs);
    });
  };
  round();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
