import { AuditLogEntry, errorTexts } from "@parley/contracts";
import type { AuditLogEntry as AuditLogRow, Database, Prisma } from "@parley/database/prisma";
import { requireMember, requireOwner } from "../../access/server-access.js";
import type { AuditLogQuery } from "./schema.js";

/** An audit log entry as it goes over the wire (docs/interface.md#4.23). */
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
    /** A page of what was done in a server, newest first. */
    async list(
      userId: string,
      serverId: string,
      { action, actor_id, target_type, before, limit }: AuditLogQuery,
    ): Promise<AuditLogEntry[]> {
      requireOwner(await requireMember(database, serverId, userId), errorTexts.audit_log_owner_only);
      const older = before === undefined ? {} : await olderThan(database, serverId, before);
      if (older === null) return [];
      const rows = await database.prisma.auditLogEntry.findMany({
        where: { server_id: serverId, action, actor_id, target_type, ...older },
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
        take: limit,
      });
      return rows.map(toAuditLogEntry);
    },
  };
}

export type AuditLogService = ReturnType<typeof createAuditLogService>;

/**
 * Entries of the same millisecond have an order too, so that pages by entry id neither skip nor repeat one.
 *
 * @returns null for an entry that this server does not have
 */
async function olderThan(
  database: Database,
  serverId: string,
  before: NonNullable<AuditLogQuery["before"]>,
): Promise<Prisma.AuditLogEntryWhereInput | null> {
  if ("time" in before) return { created_at: { lt: before.time } };
  const cursor = await database.prisma.auditLogEntry.findFirst({
    where: { id: before.id, server_id: serverId },
    select: { id: true, created_at: true },
  });
  if (cursor === null) return null;
  const { id, created_at } = cursor;
  // The range narrows the index scan, which the alternatives alone would not.
  return { created_at: { lte: created_at }, OR: [{ created_at: { lt: created_at } }, { id: { lt: id } }] };
}
