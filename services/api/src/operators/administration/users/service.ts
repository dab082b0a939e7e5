import { createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireAdminsRemain } from "../../../access/admin-lock.js";
import { appendAdminLog } from "../../../access/admin-log/repository.js";
import { findAdministered, updateAdministered } from "../../../access/administrator-repository.js";
import { lockAdministration } from "../../../access/repository.js";
import { endPasswordResets } from "../../../accounts/password-reset/repository.js";
import { removeSubscriptions } from "../../../notices/push-subscriptions/repository.js";
import { findLivingAccounts, getAccount } from "../../../people/users/repository.js";
import { toUser } from "../../../people/users/resource.js";
import { setAccountQuota } from "../../../platform/files/quotas/repository.js";
import { isEmptyChange } from "../../../platform/http/empty-change.js";
import { beginAccountDeletion } from "../../account-deletion/begin.js";
import type { AccountDeletion } from "../../account-deletion/finish.js";
import { addMessageCounts } from "../../message-counts/repository.js";
import type { UserPageQuery } from "../page-schema.js";
import { findUser, findUsers } from "./repository.js";
import type { AdminUser, AdminUserPage, UpdateAdminUser } from "./schema.js";

export function createAdminUserService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  accountDeletion: AccountDeletion;
}) {
  const { database, outbox, accountDeletion } = options;
  return {
    async list(query: UserPageQuery): Promise<AdminUserPage> {
      await addMessageCounts(database);
      const { users, total } = await findUsers(database, query);
      return { users, total, page: query.page, per_page: query.per_page };
    },

    /** Makes and unmakes administrators, disables and enables. A disabled account's sessions end with it. */
    async update(adminId: string, userId: string, changes: UpdateAdminUser): Promise<AdminUser> {
      const { quota, ...rights } = changes;
      const isQuotaAlone = quota !== undefined && isEmptyChange(rights);
      if (userId === adminId && !isQuotaAlone) throw invalidInput(errorTexts.own_account);
      await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        await lockAdministration(transaction);
        const { username, before, after } = await change(transaction, userId, changes);
        if (quota === undefined && before.is_admin === after.is_admin && before.disabled === after.disabled) return;
        await requireAdminsRemain(transaction, adminId);
        if (quota !== undefined) await setAccountQuota(transaction, userId, quota);
        const details = { username, ...after, ...(quota === undefined ? {} : { quota }) };
        await appendAdminLog(transaction, { adminId, action: "user_update", targetId: userId, details });
        if (before.is_admin !== after.is_admin) {
          emit(createEvent("USER_UPDATE", { user_id: userId }, toUser(await getAccount(transaction, userId))));
        }
        if (after.disabled && !before.disabled) {
          emit(createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id: null }));
        }
      });
      await addMessageCounts(database);
      const user = await findUser(database, userId);
      if (user === null) throw notFound(errorTexts.user_not_found);
      return user;
    },

    /** Deletes an account that owns no server; its messages stay without an author. */
    async delete(adminId: string, userId: string): Promise<void> {
      if (userId === adminId) throw invalidInput(errorTexts.own_account);
      await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        await lockAdministration(transaction);
        const [found] = await findLivingAccounts(transaction, [userId]);
        if (found === undefined) throw notFound(errorTexts.user_not_found);
        await beginAccountDeletion(transaction, emit, userId);
        await requireAdminsRemain(transaction, adminId);
        const details = { username: found.username };
        await appendAdminLog(transaction, { adminId, action: "user_delete", targetId: userId, details });
      });
      await accountDeletion.finish(userId);
    },
  };
}

/** Accounts, for administrators (docs/protocol/operators.md#18.1). */
export type AdminUserService = ReturnType<typeof createAdminUserService>;

async function change(transaction: Transaction, userId: string, { is_admin, disabled }: UpdateAdminUser) {
  const found = await findAdministered(transaction, userId);
  if (found === null) throw notFound(errorTexts.user_not_found);
  if (is_admin === false && found.admin_by_setting) throw invalidInput(errorTexts.admin_by_setting);
  if (is_admin === true && found.bot !== null) throw invalidInput(errorTexts.bots_cannot_be_admins);
  const before = { is_admin: found.is_admin || found.admin_by_setting, disabled: found.disabled_at !== null };
  const after = { is_admin: is_admin ?? before.is_admin, disabled: disabled ?? before.disabled };
  await updateAdministered(transaction, userId, {
    is_admin: is_admin ?? found.is_admin,
    disabled: after.disabled === before.disabled ? undefined : after.disabled,
  });
  if (after.disabled && !before.disabled) {
    await endPasswordResets(transaction, userId);
    await removeSubscriptions(transaction, userId);
  }
  return { username: found.username, before, after };
}
