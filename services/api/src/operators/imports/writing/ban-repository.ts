import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";

/** A ban of another installation. */
export interface KeptBan {
  serverId: string;
  userId: string;
  bannedBy: string | null;
  reason: string | null;
  createdAt: Date;
  expiresAt: Date | null;
}

const keepStatement = defineStatement({
  name: "import_ban",
  text: `INSERT INTO bans (server_id, user_id, banned_by, reason, created_at, expires_at)
    SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT FROM members WHERE server_id = $1 AND user_id = $2)
    ON CONFLICT DO NOTHING`,
});

/** Bans a person of an archive, but for one whom a member has claimed. */
export async function keepBan(transaction: Transaction, ban: KeptBan): Promise<void> {
  const { serverId, userId, bannedBy, reason, createdAt, expiresAt } = ban;
  const times = [createdAt.toISOString(), expiresAt?.toISOString() ?? null];
  await transaction.execute(keepStatement, [serverId, userId, bannedBy, reason, ...times]);
}
