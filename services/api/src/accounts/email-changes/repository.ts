import { generateToken, hashToken } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** `confirm` makes an address count, `revert` takes the former one back. */
export type EmailChangeKind = "confirm" | "revert";

const ttlHours: Record<EmailChangeKind, number> = { confirm: 24, revert: 7 * 24 };

const changeRow = z.object({
  user_id: z.string(),
  kind: z.enum(["confirm", "revert"]),
  email: z.string(),
  verified: z.boolean(),
});
export type EmailChange = z.infer<typeof changeRow>;

const issueStatement = defineStatement({
  name: "email_change_issue",
  text: `INSERT INTO email_changes (token_hash, user_id, kind, email, verified, issued_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp(), now() + make_interval(hours => $6))`,
});

/** SQL of the token $1 while it works: of those that make an address count, an account has the newest. */
const inForce = `c.token_hash = $1 AND c.expires_at > now() AND NOT EXISTS (
      SELECT FROM email_changes newer WHERE newer.user_id = c.user_id AND newer.kind = 'confirm' AND c.kind = 'confirm'
        AND newer.issued_at > c.issued_at)`;

const findStatement = defineStatement({
  name: "email_change_find",
  text: `SELECT user_id, kind, email, verified FROM email_changes c WHERE ${inForce}`,
  row: changeRow,
});

const useStatement = defineStatement({
  name: "email_change_use",
  text: `DELETE FROM email_changes c WHERE ${inForce} RETURNING user_id, kind, email, verified`,
  row: changeRow,
});

const endStatement = defineStatement({
  name: "email_change_end",
  text: "DELETE FROM email_changes WHERE user_id = $1 AND kind = ANY ($2)",
});

const openStatement = defineStatement({
  name: "email_change_count_open",
  text: "SELECT count(*) AS open FROM email_changes WHERE user_id = $1 AND kind = 'confirm' AND expires_at > now()",
  row: (row: RawRow) => Number(row.open),
});

const setStatement = defineStatement({
  name: "email_set",
  text: "UPDATE users SET email = $2, email_verified_at = CASE WHEN $3 THEN now() END WHERE id = $1",
});

const providedStatement = defineStatement({
  name: "email_is_provided",
  text: "SELECT true FROM oidc_identities WHERE user_id = $1 AND made_account",
  row: () => true,
});

/** A token that works once; only its hash is stored. */
export async function issueEmailChange(
  transaction: Transaction,
  { user_id, kind, email, verified }: EmailChange,
): Promise<string> {
  const token = generateToken();
  await transaction.execute(issueStatement, [hashToken(token), user_id, kind, email, verified, ttlHours[kind]]);
  return token;
}

/** What a token changes; undefined for one that is unknown, used, expired or followed by another. */
export async function findEmailChange(connection: Queryable, token: string): Promise<EmailChange | undefined> {
  const [change] = await connection.query(findStatement, [hashToken(token)]);
  return change;
}

/** Uses up a token. */
export async function useEmailChange(transaction: Transaction, token: string): Promise<EmailChange | undefined> {
  const [change] = await transaction.query(useStatement, [hashToken(token)]);
  return change;
}

/** Ends tokens of an account. @param kinds all, or those of an address that somebody else may have given it */
export async function endEmailChanges(
  transaction: Transaction,
  userId: string,
  kinds: readonly EmailChangeKind[] = ["confirm", "revert"],
): Promise<void> {
  await transaction.execute(endStatement, [userId, kinds]);
}

/** How many tokens an account was mailed that make an address count. */
export async function countOpenChanges(transaction: Transaction, userId: string): Promise<number> {
  const [open = 0] = await transaction.query(openStatement, [userId]);
  return open;
}

/** @throws isAddressTaken for an address that another account has */
export async function setEmail(
  transaction: Transaction,
  userId: string,
  { email, verified }: { email: string | null; verified: boolean },
): Promise<void> {
  await transaction.execute(setStatement, [userId, email, verified]);
}

/** Whether an account was made by single sign-on. */
export async function isEmailProvided(connection: Queryable, userId: string): Promise<boolean> {
  return (await connection.query(providedStatement, [userId])).length > 0;
}

export const expiredEmailChanges = defineExpiry({
  name: "expired email changes",
  table: "email_changes",
  key: "token_hash",
  where: "expires_at < now()",
  order: "expires_at",
});
