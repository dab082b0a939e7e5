import { createEvent, errorTexts, notFound, type Retention } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { InServer } from "../../access/may.js";
import { findServer, updateServer } from "../../community/servers/repository.js";
import { noteExpiredOf, untilBatchesEnded } from "./repository.js";

/** @param options.instanceDays null when the instance sets no days */
export function createRetentionService(options: { database: Database; instanceDays: number | null }) {
  const { database, instanceDays } = options;
  return {
    async get(serverId: string): Promise<Retention> {
      const server = await findServer(database, serverId);
      if (server === null) throw notFound(errorTexts.server_not_found);
      return { retention_days: server.retention_days, instance_retention_days: instanceDays };
    },

    /**
     * Sets the days and notes the messages that have expired by them, so their removal begins at once. After the answer
     * the former days remove nothing any more.
     */
    async set(may: InServer, days: number | null): Promise<Retention> {
      const serverId = await may.change(async ({ transaction, emit, access: { serverId }, audit }) => {
        await updateServer(transaction, serverId, { retention_days: days });
        await audit("server_retention_update", serverId, { retention_days: days });
        const changed = { server_id: serverId, part: "retention" } as const;
        emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed));
        return serverId;
      });
      await untilBatchesEnded(database, serverId);
      await noteExpiredOf(database, { instanceDays, serverId });
      return { retention_days: days, instance_retention_days: instanceDays };
    },
  };
}

export type RetentionService = ReturnType<typeof createRetentionService>;
