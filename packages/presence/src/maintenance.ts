import type { Database } from "@parley/database";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { auditBatchMax, batchMax } from "./limits.js";
import type { PresenceNode } from "./node.js";
import type { Registry } from "./registry.js";
import type { SaveTransition } from "./save.js";
import { connectedAfter } from "./status-row.js";

/** Periodic work that repairs what a dead process, an outage or a lost write left behind, of all processes. */
export interface Maintenance {
  /** One round. Never rejects: what fails is logged and tried again in the next. */
  run(): Promise<void>;
  /** Removes the connections of dead processes and saves the resulting statuses; concurrent calls, in any process, remove each exactly once. */
  reap(): Promise<void>;
  /**
   * Ends presence that lost connections kept for as long as they do; concurrent calls, in any process, end each exactly
   * once. Never rejects.
   */
  lapse(): Promise<void>;
  /** Saves transitions that the process that made them did not save in time. */
  saveOverdue(): Promise<void>;
  /** Compares the next users who are connected according to PostgreSQL with Redis; after the last from the start again. */
  audit(): Promise<void>;
}

const beforeAllIds = "00000000-0000-0000-0000-000000000000";

export function createMaintenance(options: {
  node: PresenceNode;
  registry: Registry;
  database: Pick<Database, "query">;
  voice: Pick<Voice, "republish">;
  save: SaveTransition;
  logger: MinimalLogger;
}): Maintenance {
  const { node, registry, database, voice, save, logger } = options;
  let auditedUpTo = beforeAllIds;

  const maintenance: Maintenance = {
    async reap() {
      let removed = batchMax;
      while (removed === batchMax) {
        const reaped = await registry.reap(node.lease, batchMax);
        ({ removed } = reaped);
        if (removed > 0) logger.info({ connections: removed, users: reaped.users.length }, "reaped a dead gateway");
        await Promise.all(reaped.users.map(save));
      }
    },

    async lapse() {
      try {
        let ended = batchMax;
        while (ended === batchMax) {
          const lapsed = await registry.lapse(node.lease, batchMax);
          ({ ended } = lapsed);
          await Promise.all(lapsed.users.map(save));
        }
      } catch (err) {
        logger.warn({ err }, "presence that was kept long enough could not be ended yet");
      }
    },

    async saveOverdue() {
      let userIds: string[];
      do {
        userIds = await registry.claimOverdue(batchMax);
        await Promise.all(userIds.map(save));
      } while (userIds.length === batchMax);
    },

    async audit() {
      const userIds = await connectedAfter(database, auditedUpTo, auditBatchMax);
      auditedUpTo = userIds.length < auditBatchMax ? beforeAllIds : (userIds.at(-1) ?? beforeAllIds);
      if (userIds.length === 0) return;
      const wrong = await registry.audit(node.lease, userIds);
      if (wrong.length > 0) logger.warn({ users: wrong.length }, "users counted as connected without a connection");
      await Promise.all(wrong.map(save));
    },

    async run() {
      const steps = [
        () => node.register(),
        maintenance.reap,
        maintenance.saveOverdue,
        () => voice.republish(),
        maintenance.audit,
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
