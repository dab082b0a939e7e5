import type { AccessTokens } from "@parley/auth";
import { type AuthResponse, createEvent, errorTexts, ServiceError } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { requireSomeAdmin } from "../../access/admin-lock.js";
import { lockAdministration } from "../../access/repository.js";
import { getAccount } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import type { Device } from "../auth/device.js";
import { hashPassword } from "../auth/passwords.js";
import { endAllSessions } from "../auth/repository.js";
import type { RequirePassword } from "../auth/require-password.js";
import type { ChangePassword } from "../auth/schema.js";
import type { AccountSessions } from "../auth/sessions.js";
import { endEmailChanges } from "../email-changes/repository.js";
import { endPasswordResets } from "../password-reset/repository.js";
import { changePassword } from "./repository.js";

/** Deletes accounts with all that they have in domains above, which implement it. */
export interface OwnAccountDeletion {
  /** In the caller's transaction; see `beginAccountDeletion`. */
  begin(transaction: Transaction, emit: Emit, userId: string): Promise<void>;
  /** After it. Never rejects. */
  finish(userId: string): Promise<void>;
}

export function createOwnAccountService(options: {
  outbox: Outbox<Transaction>;
  sessions: AccountSessions;
  accessTokens: AccessTokens;
  requirePassword: RequirePassword;
  accountDeletion: OwnAccountDeletion;
  tellOwner: TellOwner;
}) {
  const { outbox, sessions, accessTokens, requirePassword, accountDeletion, tellOwner } = options;

  return {
    /** Sets another password. All sessions and reset tokens end; the answer starts the session that goes on. */
    async changePassword(userId: string, change: ChangePassword, device: Device): Promise<AuthResponse> {
      const { session_version } = await requirePassword(userId, change.current_password, device);
      const password_hash = await hashPassword(change.new_password);
      const answer = await outbox.transaction([], async (transaction, emit) => {
        const isChanged = await changePassword(transaction, { id: userId, session_version }, password_hash);
        const version = isChanged ? await endAllSessions(transaction, userId) : null;
        if (version === null) throw new ServiceError("unauthenticated", errorTexts.invalid_token);
        await endPasswordResets(transaction, userId);
        await endEmailChanges(transaction, userId, ["confirm"]);
        const account = await getAccount(transaction, userId);
        const owner = { id: userId, session_version: version };
        const { session, refreshToken } = await sessions.start(transaction, owner, device.userAgent);
        emit(createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id: null }));
        return {
          access_token: accessTokens.issue({ userId, session }),
          refresh_token: refreshToken,
          user: toUser(account),
        };
      });
      tellOwner(userId, "password_changed", device);
      return answer;
    },

    /** Deletes the caller's account, which owns no server. */
    async delete(userId: string, password: string, device: Device): Promise<void> {
      const account = await requirePassword(userId, password, device);
      await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        await lockAdministration(transaction);
        await accountDeletion.begin(transaction, emit, userId);
        if (account.is_admin || account.admin_by_setting) await requireSomeAdmin(transaction);
      });
      await accountDeletion.finish(userId);
    },
  };
}

/** The actions of users on their own account (docs/protocol/accounts.md#18.2). */
export type OwnAccountService = ReturnType<typeof createOwnAccountService>;
