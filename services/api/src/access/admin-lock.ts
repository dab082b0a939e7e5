import { errorTexts, forbidden, invalidInput } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";

const lockStatement = defineStatement({
  name: "admin_lock",
  text: "SELECT id FROM instance_settings FOR UPDATE",
  row: (row: RawRow) => Number(row.id),
});

/** Administrators who can act: disabled accounts cannot, and bots never are administrators. */
const adminsStatement = defineStatement({
  name: "admin_remaining",
  text: `SELECT id FROM users
    WHERE (is_admin OR admin_by_setting) AND disabled_at IS NULL AND password_hash IS NOT NULL`,
  row: (row: RawRow) => String(row.id),
});

/** Serializes the changes of who is administrator and of accounts by administrators; taken before any other lock. */
export async function lockAdministration(transaction: Transaction): Promise<void> {
  await transaction.query(lockStatement, []);
}

/**
 * For the transaction that took {@link lockAdministration} and has made its change: rolls it back when no administrator
 * would remain.
 *
 * @returns ids of the remaining administrators
 * @throws ServiceError 400
 */
export async function requireSomeAdmin(transaction: Transaction): Promise<string[]> {
  const remaining = await transaction.query(adminsStatement, []);
  if (remaining.length === 0) throw invalidInput(errorTexts.last_admin);
  return remaining;
}

/**
 * The same for an action of an administrator, which is also rolled back when the caller has been one no more since the
 * request began.
 *
 * @throws ServiceError 400, 403
 */
export async function requireAdminsRemain(transaction: Transaction, callerId: string): Promise<void> {
  const remaining = await requireSomeAdmin(transaction);
  if (!remaining.includes(callerId)) throw forbidden(errorTexts.admin_required);
}
