import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { findAdministered, updateAdministered } from "../../access/administrator-repository.js";
import { findAdministrators, lockAdministration } from "../../access/repository.js";
import { getAccount } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";

/**
 * Makes or unmakes an administrator by a group of the provider. The last administrator who can act stays, as
 * everywhere.
 *
 * @param emit of a transaction that is ordered with the events of the account
 */
export async function followGroup(
  transaction: Transaction,
  emit: Emit,
  { userId, isAdmin, logger }: { userId: string; isAdmin: boolean; logger: Logger },
): Promise<void> {
  await lockAdministration(transaction);
  const found = await findAdministered(transaction, userId);
  if (found === null || found.is_admin === isAdmin || found.disabled_at !== null) return;
  const before = found.is_admin || found.admin_by_setting;
  const after = isAdmin || found.admin_by_setting;
  if (before && !after && (await findAdministrators(transaction)).length === 1) {
    logger.warn({ user_id: userId }, "the last administrator is not in the group of administrators, and stays one");
    return;
  }
  await updateAdministered(transaction, userId, { is_admin: isAdmin, disabled: undefined });
  if (before === after) return;
  const details = { username: found.username, is_admin: after, disabled: false };
  await appendAdminLog(transaction, { adminId: null, action: "user_update", targetId: userId, details });
  emit(createEvent("USER_UPDATE", { user_id: userId }, toUser(await getAccount(transaction, userId))));
}
