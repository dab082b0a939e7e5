import { generateToken, hashToken } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import { passwordResetTtlSeconds } from "../auth/limits.js";

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
const deleteStatement = defineStatement({
  name: "password_reset_delete",
  text: "DELETE FROM password_resets WHERE user_id = $1",
});

const openStatement = defineStatement({
  name: "password_reset_count_open",
  text: "SELECT count(*) AS open FROM password_resets WHERE user_id = $1 AND expires_at > now()",
  row: (row: RawRow) => Number(row.open),
});
/** A token that sets the account's password once, for an hour; only its hash is stored. */
export async function issuePasswordReset(transaction: Transaction, userId: string): Promise<string> {
  const token = generateToken();
  await transaction.execute(issueStatement, [hashToken(token), userId, passwordResetTtlSeconds]);
  return token;
}

/** Ends the account's open tokens: a token from before the account changed hands or was locked must not work after. */
export async function endPasswordResets(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(deleteStatement, [userId]);
}

/** Whether a token sets a password. */
export async function isResetToken(connection: Queryable, token: string): Promise<boolean> {
  return (await connection.query(findStatement, [hashToken(token)])).length > 0;
}

/** Uses up a token. @returns the id of its account; undefined for a token that is unknown, used or expired */
export async function useResetToken(transaction: Transaction, token: string): Promise<string | undefined> {
  const [userId] = await transaction.query(useStatement, [hashToken(token)]);
  return userId;
}

/** How many open tokens an account has. */
export async function countOpenResets(transaction: Transaction, userId: string): Promise<number> {
  const [open = 0] = await transaction.query(openStatement, [userId]);
  return open;
}

export const expiredPasswordResets = defineExpiry({
  name: "expired password resets",
  table: "password_resets",
  key: "token_hash",
  where: "expires_at < now()",
  order: "expires_at",
});
