import { errorTexts, notFound, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { lockAdministration } from "../../access/repository.js";
import { findAccountByAddress, setPassword } from "../../people/users/repository.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import type { Device } from "../auth/device.js";
import { hashPassword } from "../auth/passwords.js";
import { endPasswordResets, isResetToken, issuePasswordReset, useResetToken } from "./repository.js";

/** Ends every way into an account but its password. */
export type GiveBack = (transaction: Transaction, emit: Emit, userId: string) => Promise<void>;

export function createPasswordReset(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  giveBack: GiveBack;
  tellOwner: TellOwner;
}) {
  const { database, outbox, giveBack, tellOwner } = options;
  return {
    /** Issues a token for an administrator to hand on. The log names the administrator, and does not have the token. */
    async issueByAdmin(adminId: string, email: string): Promise<string> {
      const account = await findAccountByAddress(database, email);
      if (account === null) throw notFound(errorTexts.user_not_found);
      const { id: targetId, username } = account;
      return database.transaction(async (transaction) => {
        await lockAdministration(transaction);
        await requireAdminsRemain(transaction, adminId);
        const token = await issuePasswordReset(transaction, targetId);
        await appendAdminLog(transaction, { adminId, action: "password_reset", targetId, details: { username } });
        return token;
      });
    },

    /** Sets the password of the token's account, and ends every other way into it. */
    async reset(token: string, newPassword: string, device: Device): Promise<void> {
      const invalid = new ServiceError("unauthenticated", errorTexts.reset_token_invalid);
      // Hashing is only worth its time for a token that exists.
      if (!(await isResetToken(database, token))) throw invalid;
      const password_hash = await hashPassword(newPassword);
      const userId = await outbox.transaction([], async (transaction, emit) => {
        const owner = await useResetToken(transaction, token);
        if (owner === undefined) throw invalid;
        await endPasswordResets(transaction, owner);
        await setPassword(transaction, owner, password_hash);
        await giveBack(transaction, emit, owner);
        return owner;
      });
      tellOwner(userId, "password_reset", device);
    },
  };
}

/** Forgotten passwords (docs/protocol/operators.md#18.1, docs/protocol/accounts.md#18.2). */
export type PasswordReset = ReturnType<typeof createPasswordReset>;
