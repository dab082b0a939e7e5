import { KeyedMutex } from "@parley/service-runtime";
import { createMaintenance } from "./maintenance.js";
import { PresenceNode } from "./node.js";
import { defaultTimes, type GatewayPresenceOptions } from "./options.js";
import { createRegistry } from "./registry.js";
import { createSaves } from "./save.js";
import { type SeenStatus, setStatus } from "./set-status.js";
import type { StatusChange } from "./status-row.js";

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
    connect: (userId: string, connectionId: string, { isNumbered = false } = {}): Promise<boolean> =>
      users.run(userId, () => node.connect({ userId, connectionId, isNumbered })),
    disconnect: (userId: string, connectionId: string, { isLost = false } = {}): Promise<void> =>
      users.run(userId, () => node.disconnect(connectionId, isLost ? times.resumeGraceMs : 0)),
    endKept: (userId: string): Promise<void> =>
      users.run(userId, async () => {
        try {
          if (await registry.endKept(userId)) await saves.save(userId);
        } catch (err) {
          logger.warn({ err, user_id: userId }, "presence that a lost connection keeps could not be ended at once");
        }
      }),
    setStatus: (userId: string, change: StatusChange): Promise<SeenStatus | null> =>
      users.run(userId, () => {
        const { lease } = node;
        return setStatus(dependencies, { userId, change, lease: { id: lease, onLost: () => node.reopen(lease) } });
      }),
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
