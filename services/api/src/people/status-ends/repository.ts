import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";

/** Has a row while a custom status is to end; an index answers it. */
export const dueStatuses = "SELECT FROM users WHERE status_expires_at <= now()";

const dueStatement = defineStatement({
  name: "status_ends_due",
  text: `SELECT id FROM users WHERE status_expires_at <= now() AND id <> ALL ($2::uuid[])
    ORDER BY status_expires_at LIMIT $1`,
  row: (row: RawRow) => String(row.id),
});

const endStatement = defineStatement({
  name: "status_end",
  text: `UPDATE users SET custom_status = NULL, status_expires_at = NULL, presence_changed_at = clock_timestamp()
    WHERE id = $1 AND status_expires_at <= now()`,
});

/** The accounts whose custom status is to end, but those that rest. */
export function findDueStatuses(connection: Queryable, size: number, but: readonly string[]): Promise<string[]> {
  return connection.query(dueStatement, [size, but]);
}

/** @returns false when another process did, or the account has another status since */
export async function endStatus(transaction: Transaction, userId: string): Promise<boolean> {
  return (await transaction.execute(endStatement, [userId])) > 0;
}
