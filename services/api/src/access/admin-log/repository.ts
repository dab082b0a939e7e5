import { type AdminAction, adminActions } from "@parley/contracts";
import type { AdminLogEntry, Queryable, Transaction } from "@parley/database/prisma";

/** The content of an entry; its target type follows from the action. */
export interface AdminLogRecord {
  /** Null for an action of the provider of single sign-on. */
  adminId: string | null;
  action: AdminAction;
  targetId: string | null;
  details: Record<string, string | number | boolean | readonly string[] | null>;
}

/** Writes an entry of the instance-wide log in the transaction of the action that it records. */
export async function appendAdminLog(transaction: Transaction, entry: AdminLogRecord): Promise<void> {
  await transaction.prisma.adminLogEntry.create({
    data: {
      admin_id: entry.adminId,
      action: entry.action,
      target_type: adminActions[entry.action],
      target_id: entry.targetId,
      details: entry.details,
    },
  });
}

/** A page of the log, newest first. */
export function findAdminLog(
  { prisma }: Queryable,
  { before, limit }: { before: Date | undefined; limit: number },
): Promise<AdminLogEntry[]> {
  return prisma.adminLogEntry.findMany({
    where: before === undefined ? {} : { created_at: { lt: before } },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    take: limit,
  });
}
