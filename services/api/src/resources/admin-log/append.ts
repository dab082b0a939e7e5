import type { Transaction } from "@parley/database/prisma";

/** What administrators do, and what kind of thing each action is done to. */
export const adminActions = {
  user_update: "user",
  user_delete: "user",
  password_reset: "user",
  server_delete: "server",
  settings_update: "settings",
} as const;
export type AdminAction = keyof typeof adminActions;

/** The content of an entry; its target type follows from the action. */
export interface AdminLogRecord {
  adminId: string;
  action: AdminAction;
  targetId: string | null;
  details: Record<string, string | number | boolean | null>;
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
