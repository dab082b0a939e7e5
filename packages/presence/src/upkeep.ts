import type { Database } from "@parley/database";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { auditBatchMax, batchMax } from "./limits.js";
import type { PresenceNode } from "./node.js";
import type { Registry } from "./registry.js";
import type { SaveTransition } from "./save.js";
import { connectedAfter } from "./status-row.js";

/** What a gateway does for all: everything that a dead process, an outage or a lost write left undone. */
export interface Upkeep {
  /** One round. Never rejects: what fails is logged and tried again in the next. */
  run(): Promise<void>;
  /** Removes the connections of dead processes and saves what follows, each exactly once among all who call. */
  reap(): Promise<void>;
  /** Saves transitions that their maker did not. */
  saveForgotten(): Promise<void>;
  /** Compares the next users whom PostgreSQL takes for connected with Redis; from the start again after the last. */
  audit(): Promise<void>;
}

const beforeAllIds = "00000000-0000-0000-0000-000000000000";

export function createUpkeep(options: {
  node: PresenceNode;
  registry: Registry;
  database: Pick<Database, "query">;
  voice: Pick<Voice, "announceForgotten">;
  save: SaveTransition;
  logger: MinimalLogger;
}): Upkeep {
  const { node, registry, database, voice, save, logger } = options;
  let auditedUpTo = beforeAllIds;

  const upkeep: Upkeep = {
    async reap() {
      let removed = batchMax;
      while (removed === batchMax) {
        const reaped = await registry.reap(node.lease, batchMax);
        ({ removed } = reaped);
        if (removed > 0) logger.info({ connections: removed, users: reaped.users.length }, "reaped a dead gateway");
        await Promise.all(reaped.users.map(save));
      }
    },

    async saveForgotten() {
      let userIds: string[];
      do {
        userIds = await registry.unsaved(batchMax);
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
        upkeep.reap,
        upkeep.saveForgotten,
        () => voice.announceForgotten(),
        upkeep.audit,
      ];
      for (const step of steps) {
        try {
          await step();
        } catch (err) {
          logger.warn({ err }, "presence upkeep failed; the next round tries again");
        }
      }
    },
  };
  return upkeep;
}
