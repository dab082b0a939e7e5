import type { Database } from "@parley/database";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { batchMax, verifyBatchMax } from "./limits.js";
import type { PresenceNode } from "./node.js";
import type { Registry } from "./registry.js";
import type { SaveTransition } from "./save.js";
import { connectedAfter } from "./status-row.js";

const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Periodic work that repairs the traces of dead processes, outages and lost writes, of all processes. */
export function createMaintenance(options: {
  node: PresenceNode;
  registry: Registry;
  database: Pick<Database, "query">;
  voice: Pick<Voice, "republish">;
  save: SaveTransition;
  logger: MinimalLogger;
}) {
  const { node, registry, database, voice, save, logger } = options;
  let verifiedUpTo = beforeAllIds;

  const maintenance = {
    /**
     * Removes the connections of dead processes and saves the resulting statuses; concurrent calls, in any process,
     * remove each exactly once.
     */
    async expireLeases() {
      let removed = batchMax;
      while (removed === batchMax) {
        const expired = await registry.expireLeases(node.lease, batchMax);
        ({ removed } = expired);
        const users = expired.users.length;
        if (removed > 0) logger.info({ connections: removed, users }, "removed connections of a dead gateway");
        await Promise.all(expired.users.map(save));
      }
    },

    /** Ends expired graces; concurrent calls, in any process, end each exactly once. Never rejects. */
    async expireGraces() {
      try {
        let ended = batchMax;
        while (ended === batchMax) {
          const expired = await registry.expireGraces(node.lease, batchMax);
          ({ ended } = expired);
          await Promise.all(expired.users.map(save));
        }
      } catch (err) {
        logger.warn({ err }, "graces that are over could not be ended yet");
      }
    },

    /** Saves transitions that the process that made them did not save in time. */
    async saveOverdue() {
      let userIds: string[];
      do {
        userIds = await registry.claimOverdue(batchMax);
        await Promise.all(userIds.map(save));
      } while (userIds.length === batchMax);
    },

    /**
     * Compares the next users who are connected according to PostgreSQL with Redis; after the last one it starts again.
     */
    async verify() {
      const userIds = await connectedAfter(database, verifiedUpTo, verifyBatchMax);
      verifiedUpTo = userIds.length < verifyBatchMax ? beforeAllIds : (userIds.at(-1) ?? beforeAllIds);
      if (userIds.length === 0) return;
      const wrong = await registry.verify(node.lease, userIds);
      if (wrong.length > 0) logger.warn({ users: wrong.length }, "users counted as connected without a connection");
      await Promise.all(wrong.map(save));
    },

    /** One round. Never rejects: it logs a failed step, and the next round tries it again. */
    async run() {
      const steps = [
        () => node.register(),
        maintenance.expireLeases,
        maintenance.saveOverdue,
        () => voice.republish(),
        maintenance.verify,
      ];
      for (const step of steps) {
        try {
          await step();
        } catch (err) {
          logger.warn({ err }, "presence maintenance failed; the next round tries again");
        }
      }
    },
  };
  return maintenance;
}
