import { AuditLogEntry } from "@parley/contracts";
import type { AuditLogEntry as AuditLogRow } from "@parley/database";

/** An audit log entry as it goes over the wire (docs/interface.md#4.23). */
export function toAuditLogEntry(row: AuditLogRow): AuditLogEntry {
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
