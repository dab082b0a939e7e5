import type { AdminLogEntry, Queryable, Transaction } from "@parley/database/prisma";

/** Actions of administrators, each with the kind of its target. */
export const adminActions = {
  user_update: "user",
  user_delete: "user",
  password_reset: "user",
  server_delete: "server",
  server_update: "server",
  settings_update: "settings",
  registration_approve: "user",
  registration_decline: "user",
  network_ban_create: "settings",
  network_ban_delete: "settings",
  search_reindexing_pause: "settings",
  search_reindexing_resume: "settings",
  report_close: "report",
  import_create: "import",
  import_start: "import",
  import_pause: "import",
  import_resume: "import",
  import_undo: "import",
  import_claim: "import",
  import_code: "import",
} as const;
export type AdminAction = keyof typeof adminActions;

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
