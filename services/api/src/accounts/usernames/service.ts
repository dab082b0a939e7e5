import { conflict, createEvent, errorTexts, invalidInput, rateLimited } from "@parley/contracts";
import { isUniqueViolation } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import { noteMemberChange } from "../../people/member-announcements/repository.js";
import { getAccount } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";
import type { Device } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import { changeUsername, waitForChange } from "./repository.js";

/** @param options.listed the names of the setting PARLEY_ADMINS, which grant a right to the account that has them */
export function createChangeUsername(options: {
  outbox: Outbox<Transaction>;
  requirePassword: RequirePassword;
  listed: readonly string[];
}) {
  const { outbox, requirePassword, listed } = options;

  return async (userId: string, { username, password }: { username: string; password: string }, device: Device) => {
    const { username: former, admin_by_setting } = await requirePassword(userId, password, device);
    if (former === username) return;
    if (admin_by_setting || listed.includes(former) || listed.includes(username))
      throw invalidInput(errorTexts.username_listed);
    try {
      await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        await lockAccount(transaction, userId);
        const seconds = await waitForChange(transaction, userId);
        if (seconds !== null) throw rateLimited("username_changes", errorTexts.username_changes, seconds);
        await changeUsername(transaction, userId, username);
        await noteMemberChange(transaction, userId);
        emit(createEvent("USER_UPDATE", { user_id: userId }, toUser(await getAccount(transaction, userId))));
      });
    } catch (error) {
      throw isUniqueViolation(error, "users_username_key") ? conflict(errorTexts.username_taken) : error;
    }
  };
}

/**
 * Changes the caller's username, and keeps the former one for them (docs/protocol/accounts.md#33.5).
 *
 * @throws ServiceError 400 for a wrong password and for names of the setting PARLEY_ADMINS, 409 for a name of somebody else, 429 after two
 * changes in 14 days
 */
export type ChangeUsername = ReturnType<typeof createChangeUsername>;
