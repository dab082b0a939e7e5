import { errorTexts, forbidden, invalidInput } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { findAdministrators } from "./repository.js";

/**
 * For the transaction that took `lockAdministration` and has made its change: rolls it back when no administrator
 * would remain.
 *
 * @returns ids of the remaining administrators
 * @throws ServiceError 400
 */
export async function requireSomeAdmin(transaction: Transaction): Promise<string[]> {
  const remaining = await findAdministrators(transaction);
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
