import { AuditLogEntry } from "@parley/contracts";
import type { AuditLogEntry as AuditLogRow, Database } from "@parley/database/prisma";
import { findAuditLog } from "../../access/audit-log/repository.js";
import type { AuditLogQuery } from "../../access/audit-log/schema.js";

/** An audit log entry as it goes over the wire (docs/protocol/objects.md#4.23). */
function toAuditLogEntry(row: AuditLogRow): AuditLogEntry {
  return {
    id: row.id,
    server_id: row.server_id,
    actor_id: row.actor_id,
    action: row.action,
    target_type: row.target_type,
    target_id: row.target_id,
    details: AuditLogEntry.shape.details.parse(row.details),
    ip_address: null,
    created_at: row.created_at.toISOString(),
  };
}

export function createAuditLogService({ database }: { database: Database }) {
  return {
    /** A page of the actions in a server, newest first. */
    async list(serverId: string, query: AuditLogQuery): Promise<AuditLogEntry[]> {
      return (await findAuditLog(database, serverId, query)).map(toAuditLogEntry);
    },
  };
}

export type AuditLogService = ReturnType<typeof createAuditLogService>;
