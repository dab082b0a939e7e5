import { createEvent, errorTexts, notFound, type Retention } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import { requireMember, requireOwner } from "../../access/server-access.js";
import { findServer, updateServer } from "../../community/servers/repository.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { noteExpiredOf, untilBatchesEnded } from "./repository.js";

/** @param options.instanceDays null when the instance sets no days */
export function createRetentionService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  instanceDays: number | null;
}) {
  const { database, outbox, turns, instanceDays } = options;
  return {
    async get(userId: string, serverId: string): Promise<Retention> {
      await requireMember(database, serverId, userId);
      const server = await findServer(database, serverId);
      if (server === null) throw notFound(errorTexts.server_not_found);
      return { retention_days: server.retention_days, instance_retention_days: instanceDays };
    },

    /**
     * Sets the days and notes what has expired by them, so its removal begins at once. After the answer nothing is
     * removed by the days from before.
     */
    async set(userId: string, serverId: string, days: number | null): Promise<Retention> {
      const change = async (transaction: Transaction, emit: Emit) => {
        requireOwner(await requireMemberForChange(transaction, serverId, userId), errorTexts.server_update_owner_only);
        await updateServer(transaction, serverId, { retention_days: days });
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "server_retention_update",
          targetId: serverId,
          details: { retention_days: days },
        });
        const changed = { server_id: serverId, part: "retention" } as const;
        emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed));
      };
      await turns.run(serverId, () => outbox.transaction([{ server_id: serverId }], change));
      await untilBatchesEnded(database, serverId);
      await noteExpiredOf(database, { instanceDays, serverId });
      return { retention_days: days, instance_retention_days: instanceDays };
    },
  };
}

export type RetentionService = ReturnType<typeof createRetentionService>;
