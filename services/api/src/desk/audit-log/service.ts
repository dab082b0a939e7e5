import type { AuditLogEntry } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findAuditLog, toAuditLogEntry } from "../../access/audit-log/repository.js";
import type { AuditLogQuery } from "../../access/audit-log/schema.js";

export function createAuditLogService({ database }: { database: Database }) {
  return {
    /** A page of the actions in a server, newest first. */
    async list(serverId: string, query: AuditLogQuery): Promise<AuditLogEntry[]> {
      return (await findAuditLog(database, serverId, query)).map(toAuditLogEntry);
    },
  };
}

export type AuditLogService = ReturnType<typeof createAuditLogService>;
