import { generateToken, hashToken } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** Life of a token that verifies an address: a week where the account waits for it, else a day. */
const emailVerificationTtlSeconds = { usual: 24 * 3600, waiting: 7 * 24 * 3600 };

/** An account and its address. */
export interface Addressee {
  id: string;
  email: string;
}

const openStatement = defineStatement({
  name: "email_verification_count_open",
  text: "SELECT count(*) AS open FROM email_verifications WHERE user_id = $1 AND expires_at > now()",
  row: (row: RawRow) => Number(row.open),
});
const issueStatement = defineStatement({
  name: "email_verification_issue",
  text: `INSERT INTO email_verifications (token_hash, user_id, email, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
});
/** If a token is used twice at once, one use finds the row. An address that changed since is not verified. */
const verifyStatement = defineStatement({
  name: "email_verification_use",
  text: `WITH used AS (DELETE FROM email_verifications WHERE token_hash = $1 AND expires_at > now()
      RETURNING user_id, email)
    UPDATE users u SET email_verified_at = now() FROM used WHERE u.id = used.user_id AND u.email = used.email`,
});

/** How many open tokens an account has. */
export async function countOpenVerifications(transaction: Transaction, userId: string): Promise<number> {
  const [open = 0] = await transaction.query(openStatement, [userId]);
  return open;
}

/** A token that verifies an address once; only its hash is stored. */
export async function issueVerification(
  transaction: Transaction,
  { id, email }: Addressee,
  kind: keyof typeof emailVerificationTtlSeconds,
): Promise<string> {
  const token = generateToken();
  await transaction.execute(issueStatement, [hashToken(token), id, email, emailVerificationTtlSeconds[kind]]);
  return token;
}

const knownStatement = defineStatement({
  name: "email_verification_known",
  text: "SELECT 1 AS one FROM email_verifications WHERE token_hash = $1 AND expires_at > now()",
  row: (row: RawRow) => Number(row.one),
});

/** Whether a token can be used. */
export async function isVerificationKnown(connection: Queryable, token: string): Promise<boolean> {
  return (await connection.query(knownStatement, [hashToken(token)])).length > 0;
}

/** Uses up a token. @returns false for one that is unknown, used or expired, and when the address has changed */
export async function useVerification(connection: Queryable, token: string): Promise<boolean> {
  return (await connection.execute(verifyStatement, [hashToken(token)])) > 0;
}

export const expiredEmailVerifications = defineExpiry({
  name: "expired email verifications",
  table: "email_verifications",
  key: "token_hash",
  where: "expires_at < now()",
  order: "expires_at",
});
