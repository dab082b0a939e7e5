import { type AuditAction, auditActions } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";

/** The content of an entry; its target type follows from the action (docs/interface.md#10.4). */
export interface AuditEntry {
  serverId: string;
  actorId: string;
  action: AuditAction;
  targetId: string;
  details: Record<string, string | number | boolean | null>;
}

/** Writes an audit entry in the transaction of the action that it records. */
export async function appendAudit(transaction: Transaction, entry: AuditEntry): Promise<void> {
  await transaction.prisma.auditLogEntry.create({
    data: {
      server_id: entry.serverId,
      actor_id: entry.actorId,
      action: entry.action,
      target_type: auditActions[entry.action],
      target_id: entry.targetId,
      details: entry.details,
    },
  });
}
