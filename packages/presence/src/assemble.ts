import { PresenceNode } from "./node.js";
import { defaultTimes, type GatewayPresenceOptions } from "./options.js";
import { createRegistry } from "./registry.js";
import { createSaves } from "./save.js";
import { type SeenStatus, setStatus } from "./set-status.js";
import type { StatusChange } from "./status-row.js";
import { createUpkeep } from "./upkeep.js";
import { createUserTurns } from "./user-turns.js";

/** The parts of a gateway's presence, with nothing that runs by itself. */
export function assembleGatewayPresence(options: GatewayPresenceOptions) {
  const { nodeId, redis, logger, times = defaultTimes } = options;
  const registry = createRegistry({ redis, times });
  const saves = createSaves({ ...options, registry });
  const surroundings = { ...options, registry, save: saves.save };
  const node = new PresenceNode({ ...surroundings, nodeId });
  const turns = createUserTurns();

  return {
    node,
    upkeep: createUpkeep({ ...surroundings, node }),
    connect: (userId: string, connectionId: string): Promise<boolean> =>
      turns.take(userId, () => node.connect(userId, connectionId)),
    disconnect: (userId: string, connectionId: string): Promise<void> =>
      turns.take(userId, () => node.disconnect(connectionId)),
    setStatus: (userId: string, change: StatusChange): Promise<SeenStatus | null> =>
      turns.take(userId, () => {
        const { lease } = node;
        return setStatus(surroundings, { userId, change, lease: { id: lease, onLost: () => node.reopen(lease) } });
      }),
    connectionCount: registry.count,
    /** Resolves when every transition that this process has noticed is saved, or left to the upkeep. */
    settled: saves.end,
    /** Waits for what is under way, then gives the lease up. */
    async end(): Promise<void> {
      await turns.end();
      await saves.end();
      try {
        await node.close();
      } catch (err) {
        logger.warn({ err }, "the presence lease could not be given up; it expires");
      }
    },
  };
}
