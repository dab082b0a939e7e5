import { type AuditAction, AuditLogEntry, auditActions, createEvent } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { AuditLogEntry as AuditLogRow, Prisma, Queryable, Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import type { AuditLogQuery } from "./schema.js";

const savepointStatement = defineStatement({ name: "audit_savepoint", text: "SAVEPOINT audit" });
const rollbackStatement = defineStatement({ name: "audit_rollback", text: "ROLLBACK TO SAVEPOINT audit" });

/** The content of an entry; its target type follows from the action (docs/protocol/moderation.md#10.4). */
export interface AuditEntry {
  /** Null for the deletion of a server, whose log goes with it. */
  serverId: string | null;
  /** Null for an event without an actor. */
  actorId: string | null;
  action: AuditAction;
  targetId: string;
  details: Record<string, string | number | boolean | null>;
}

/** Writes an audit entry in the transaction of the action that it records. */
export function appendAudit(transaction: Transaction, entry: AuditEntry): Promise<AuditLogRow> {
  return transaction.prisma.auditLogEntry.create({
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

/** An audit log entry as it goes over the wire (docs/protocol/objects.md#4.23). */
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

/**
 * Writes an audit entry of a server, and announces it to those who may read the log.
 *
 * @param order_key where the transaction orders no events of the server: of what it orders
 */
export async function announceAudit(
  { transaction, emit }: { transaction: Transaction; emit: Emit },
  entry: AuditEntry & { serverId: string },
  order_key?: string,
): Promise<void> {
  const row = await appendAudit(transaction, entry);
  const routing = { readers: "view_audit_log", order_key } as const;
  emit(createEvent("AUDIT_LOG_ENTRY_CREATE", { server_id: entry.serverId }, toAuditLogEntry(row), routing));
}

/**
 * The same, rolled back alone when it cannot be written.
 *
 * @param onFailure called with the error
 */
export async function tryAnnounceAudit(
  change: { transaction: Transaction; emit: Emit },
  entry: AuditEntry & { serverId: string },
  onFailure: (err: unknown) => void,
): Promise<void> {
  const { transaction } = change;
  await transaction.execute(savepointStatement, []);
  try {
    await announceAudit(change, entry);
  } catch (err) {
    await transaction.execute(rollbackStatement, []);
    onFailure(err);
  }
}

/** A page of a server's entries, newest first. */
export async function findAuditLog(
  connection: Queryable,
  serverId: string,
  { action, actor_id, target_type, before, limit }: AuditLogQuery,
): Promise<AuditLogRow[]> {
  const older = before === undefined ? {} : await olderThan(connection, serverId, before);
  if (older === null) return [];
  return connection.prisma.auditLogEntry.findMany({
    where: { server_id: serverId, action, actor_id, target_type, ...older },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    take: limit,
  });
}

/** No row for the id of another server's entry. That of one which was trimmed has its time; other ids have none. */
const placeStatement = defineStatement({
  name: "audit_place",
  text: `SELECT coalesce((SELECT created_at FROM audit_log_entries WHERE id = $1), uuid_extract_timestamp($1)) AS created_at
    WHERE NOT EXISTS (SELECT FROM audit_log_entries WHERE id = $1 AND server_id IS DISTINCT FROM $2)`,
  row: z.object({ created_at: z.date().nullable() }),
});

/**
 * Entries of the same millisecond have an order too, so that pages by entry id neither skip nor repeat one.
 *
 * @returns null for an entry of another server, and for an id that is none of an entry
 */
async function olderThan(
  connection: Queryable,
  serverId: string,
  before: NonNullable<AuditLogQuery["before"]>,
): Promise<Prisma.AuditLogEntryWhereInput | null> {
  if ("time" in before) return { created_at: { lt: before.time } };
  const { id } = before;
  const [place] = await connection.query(placeStatement, [id, serverId]);
  if (place?.created_at == null) return null;
  const { created_at } = place;
  // The range narrows the index scan, which the alternatives alone would not.
  return { created_at: { lte: created_at }, OR: [{ created_at: { lt: created_at } }, { id: { lt: id } }] };
}

/** How long the audit entries of deleted servers are kept, which only the operators can read. */
export const deletedServersAuditDays = 90;

/** The deletion of a server belongs to none. */
export const expiredDeletedServersAudit = defineExpiry({
  name: "expired audit of deleted servers",
  table: "audit_log_entries",
  where: "server_id IS NULL AND created_at < now() - make_interval(days => $2)",
  order: "created_at",
  values: [deletedServersAuditDays],
});
