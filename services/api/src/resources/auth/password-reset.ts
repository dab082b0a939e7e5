import { generateToken, hashToken } from "@parley/auth";
import { createEvent, errorTexts, notFound, ServiceError } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { lockAdministration } from "../../access/repository.js";
import { appendAdminLog } from "../admin-log/append.js";
import { passwordResetTtlSeconds } from "./limits.js";
import { hashPassword } from "./passwords.js";
import { endAllSessions } from "./sessions.js";

const issueStatement = defineStatement({
  name: "password_reset_issue",
  text: `INSERT INTO password_resets (token_hash, user_id, expires_at)
    VALUES ($1, $2, now() + make_interval(secs => $3))`,
});

const userId = (row: RawRow) => String(row.user_id);
const findStatement = defineStatement({
  name: "password_reset_find",
  text: "SELECT user_id FROM password_resets WHERE token_hash = $1 AND expires_at > now()",
  row: userId,
});
const useStatement = defineStatement({
  name: "password_reset_use",
  text: "DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING user_id",
  row: userId,
});
const removeStatement = defineStatement({
  name: "password_reset_remove",
  text: "DELETE FROM password_resets WHERE user_id = $1",
});

/** A token that sets the account's password once, for an hour; only its hash is stored. */
export async function issuePasswordReset(transaction: Transaction, userId: string): Promise<string> {
  const token = generateToken();
  await transaction.execute(issueStatement, [hashToken(token), userId, passwordResetTtlSeconds]);
  return token;
}

/** Ends the account's open tokens: whoever got one before the account changed hands or was locked must not use it after. */
export async function endPasswordResets(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(removeStatement, [userId]);
}

export function createPasswordReset({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  return {
    /** Issues a token for an administrator to hand on. The log names the administrator, and does not have the token. */
    async issueByAdmin(adminId: string, email: string): Promise<string> {
      const account = await database.prisma.user.findUnique({ where: { email }, select: { id: true, username: true } });
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
      if ((await database.query(findStatement, [hashToken(token)])).length === 0) throw invalid;
      const password_hash = await hashPassword(newPassword);
      await outbox.transaction([], async (transaction, emit) => {
        const [user_id] = await transaction.query(useStatement, [hashToken(token)]);
        if (user_id === undefined) throw invalid;
        await endPasswordResets(transaction, user_id);
        await transaction.prisma.user.update({ where: { id: user_id }, data: { password_hash }, select: { id: true } });
        await endAllSessions(transaction, user_id);
        emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }));
      });
    },
  };
}

/** Forgotten passwords (docs/interface.md#18.1, docs/interface.md#18.2). */
export type PasswordReset = ReturnType<typeof createPasswordReset>;
