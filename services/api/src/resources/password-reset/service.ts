import { createEvent, errorTexts, notFound, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { lockAdministration } from "../../access/repository.js";
import { appendAdminLog } from "../admin-log/repository.js";
import { hashPassword } from "../auth/passwords.js";
import { endAllSessions } from "../auth/repository.js";
import { findAccountByAddress, setPassword } from "../users/repository.js";
import { endPasswordResets, isResetToken, issuePasswordReset, useResetToken } from "./repository.js";

export function createPasswordReset({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
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

    /** Sets the password of the token's account and ends all its sessions. */
    async reset(token: string, newPassword: string): Promise<void> {
      const invalid = new ServiceError("unauthenticated", errorTexts.reset_token_invalid);
      // Hashing is only worth its time for a token that exists.
      if (!(await isResetToken(database, token))) throw invalid;
      const password_hash = await hashPassword(newPassword);
      await outbox.transaction([], async (transaction, emit) => {
        const user_id = await useResetToken(transaction, token);
        if (user_id === undefined) throw invalid;
        await endPasswordResets(transaction, user_id);
        await setPassword(transaction, user_id, password_hash);
        await endAllSessions(transaction, user_id);
        emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }));
      });
    },
  };
}

/** Forgotten passwords (docs/interface.md#18.1, docs/interface.md#18.2). */
export type PasswordReset = ReturnType<typeof createPasswordReset>;
