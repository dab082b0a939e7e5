import { setTimeout as pause } from "node:timers/promises";
import { clientOps } from "@parley/contracts";
import type { Presence } from "@parley/presence";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { statusesBurst, statusesPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";

type Change = Parameters<Presence["setStatus"]>[1];

/** The merged ops of a user, above their rate, of all their connections to this node. */
interface Waiting {
  change: Change;
  connections: Set<Connection>;
}

/**
 * PRESENCE_UPDATE: saved, and published to co-members (docs/protocol/connecting.md#14.3). The rate of a user is that of one
 * connection, over all their connections and nodes. Ops above it are merged, key by key, and saved as one change when
 * the rate allows the next one. The changes that arrive at this node stay in order; those of other nodes are
 * concurrent.
 */
export function createPresenceUpdate(options: {
  presence: Pick<Presence, "setStatus">;
  redis: RedisConnection;
  logger: Logger;
}): OpHandler {
  const { presence, redis, logger } = options;
  const perUser = createTokenBucket({
    redis,
    name: "status",
    ratePerSecond: statusesPerSecondMax,
    burst: statusesBurst,
  });
  const waiting = new Map<string, Waiting>();

  function putTogether(connection: Connection, change: Change): void {
    const { userId } = connection;
    const others = waiting.get(userId);
    if (others === undefined) {
      waiting.set(userId, { change, connections: new Set([connection]) });
      saveLater(userId).catch((err: unknown) => logger.warn({ err, user_id: userId }, "a status was not saved"));
    } else {
      Object.assign(others.change, change);
      others.connections.add(connection);
    }
  }

  async function saveLater(userId: string): Promise<void> {
    do await pause(1_000 / statusesPerSecondMax, undefined, { ref: false });
    while (!(await perUser.take(userId)).allowed);
    const latest = waiting.get(userId);
    waiting.delete(userId);
    // A status that came after the user's last connection would undo `offline`.
    if (latest === undefined || [...latest.connections].every(({ state }) => state === "closed")) return;
    await presence.setStatus(userId, latest.change);
  }

  return async (connection, d) => {
    const change = clientOps.PRESENCE_UPDATE.safeParse(d);
    if (!change.success) return;
    const { userId } = connection;
    // A waiting change goes first.
    if (!waiting.has(userId) && (await perUser.take(userId)).allowed) await presence.setStatus(userId, change.data);
    else putTogether(connection, change.data);
  };
}
