import { generateToken, hashToken } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import { Claims } from "./claims.js";
import { codeTtlSeconds } from "./limits.js";
import type { LogoutToken } from "./logout-token.js";
import type { ProviderIdentity } from "./provider.js";

const userId = (row: RawRow) => String(row.user_id);

const useStatement = defineStatement({
  name: "oidc_use_token",
  text: `INSERT INTO oidc_used_tokens (token_hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT DO NOTHING`,
});

const keepStatement = defineStatement({
  name: "oidc_sign_in_keep",
  text: `INSERT INTO oidc_sign_ins (code_hash, browser_hash, link_user_id, issuer, subject, sid, claims, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, now() + make_interval(secs => $8))`,
});

const takeStatement = defineStatement({
  name: "oidc_sign_in_take",
  text: `DELETE FROM oidc_sign_ins
    WHERE code_hash = $1 AND browser_hash = $2 AND link_user_id IS NOT DISTINCT FROM $3::uuid AND expires_at > now()
    RETURNING issuer, subject, sid, claims`,
  row: z.object({ issuer: z.string(), subject: z.string(), sid: z.string().nullable(), claims: Claims }),
});

const findStatement = defineStatement({
  name: "oidc_identity_find",
  text: "SELECT user_id FROM oidc_identities WHERE issuer = $1 AND subject = $2",
  row: userId,
});

const connectStatement = defineStatement({
  name: "oidc_identity_connect",
  text: "INSERT INTO oidc_identities (issuer, subject, user_id, made_account) VALUES ($1, $2, $3, $4)",
});

const listStatement = defineStatement({
  name: "oidc_identity_list",
  text: "SELECT issuer, subject, created_at FROM oidc_identities WHERE user_id = $1 ORDER BY created_at",
  row: z.object({ issuer: z.string(), subject: z.string(), created_at: z.date() }),
});

/** A sign-in that is under way must not escape the end of its connection: whichever is first, the session ends. */
const lockStatement = defineStatement({
  name: "oidc_identity_lock",
  text: "SELECT user_id FROM oidc_identities WHERE issuer = $1 AND subject = $2 AND user_id = $3 FOR KEY SHARE",
  row: userId,
});

const disconnectStatement = defineStatement({
  name: "oidc_identity_disconnect",
  text: "DELETE FROM oidc_identities WHERE user_id = $1",
});

/** The connection that the account was made by stays: without it the person would get another account. */
const endLinksStatement = defineStatement({
  name: "oidc_links_end",
  text: `WITH waiting AS (DELETE FROM oidc_sign_ins WHERE link_user_id = $1)
    DELETE FROM oidc_identities WHERE user_id = $1 AND NOT made_account`,
});

const sessionsStatement = defineStatement({
  name: "oidc_sessions_of",
  text: "SELECT session_id FROM oidc_sessions WHERE user_id = $1 ORDER BY session_id",
  row: (row: RawRow) => String(row.session_id),
});

const noteStatement = defineStatement({
  name: "oidc_session_note",
  text: "INSERT INTO oidc_sessions (session_id, user_id, issuer, subject, sid) VALUES ($1, $2, $3, $4, $5)",
});

/** If the provider gave a session no name when it began, only its person is known. */
const endedStatement = defineStatement({
  name: "oidc_sessions_ended",
  text: `SELECT session_id, user_id FROM oidc_sessions WHERE issuer = $1 AND subject = $2
      AND ($3::text IS NULL OR sid IS NULL OR sid = $3)
    UNION SELECT session_id, user_id FROM oidc_sessions WHERE issuer = $1 AND sid = $3
      AND ($2::text IS NULL OR subject = $2)
    ORDER BY session_id`,
  row: z.object({ session_id: z.string(), user_id: z.string() }),
});

const dropStatement = defineStatement({
  name: "oidc_sign_ins_drop",
  text: `DELETE FROM oidc_sign_ins WHERE issuer = $1 AND ($2::text IS NULL OR subject = $2)
    AND ($3::text IS NULL OR sid IS NULL OR sid = $3) AND ($2::text IS NOT NULL OR sid = $3)`,
});

/** Uses up a token that counts once. @returns false when it was used before */
export async function useOnce(connection: Queryable, token: string, keptSeconds: number): Promise<boolean> {
  return (await connection.execute(useStatement, [hashToken(token), keptSeconds])) > 0;
}

/** Keeps a person that the provider has named, for the page of the same browser. @returns the code for it */
export async function keepSignIn(
  connection: Queryable,
  { issuer, subject, sid, claims }: ProviderIdentity,
  { browserHash, linkUserId }: { browserHash: string; linkUserId: string | null },
): Promise<string> {
  const code = generateToken();
  const whose = [hashToken(code), browserHash, linkUserId];
  await connection.execute(keepStatement, [...whose, issuer, subject, sid, JSON.stringify(claims), codeTtlSeconds]);
  return code;
}

/** Exchanges a code, once. @returns undefined for a code that is unknown, used, expired, of another browser or for another purpose */
export async function takeSignIn(
  connection: Queryable,
  code: string,
  { browserHash, linkUserId }: { browserHash: string; linkUserId: string | null },
): Promise<ProviderIdentity | undefined> {
  const [person] = await connection.query(takeStatement, [hashToken(code), browserHash, linkUserId]);
  return person;
}

/** The account that somebody at a provider is connected with. */
export async function findConnected(
  connection: Queryable,
  { issuer, subject }: Pick<ProviderIdentity, "issuer" | "subject">,
): Promise<string | undefined> {
  const [userId] = await connection.query(findStatement, [issuer, subject]);
  return userId;
}

/** @param isNew whether the account was made for the person; @throws isUniqueViolation of "oidc_identities_pkey" or "oidc_identities_user_id_issuer_key" when one of both is connected */
export async function connectAccount(
  transaction: Transaction,
  { issuer, subject }: Pick<ProviderIdentity, "issuer" | "subject">,
  { userId, isNew }: { userId: string; isNew: boolean },
): Promise<void> {
  await transaction.execute(connectStatement, [issuer, subject, userId, isNew]);
}

/** Holds a connection until the transaction ends. @returns false when it has ended */
export async function lockConnected(
  transaction: Transaction,
  { issuer, subject }: Pick<ProviderIdentity, "issuer" | "subject">,
  userId: string,
): Promise<boolean> {
  return (await transaction.query(lockStatement, [issuer, subject, userId])).length > 0;
}

/** Ends the connections that a signed-in user of the account began, and attempts to begin one. */
export async function endLinks(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(endLinksStatement, [userId]);
}

/** The sessions of an account that began at a provider. */
export function findSessionsOf(transaction: Transaction, userId: string): Promise<string[]> {
  return transaction.query(sessionsStatement, [userId]);
}

/** The identities of an account at providers. */
export function findIdentities(connection: Queryable, userId: string) {
  return connection.query(listStatement, [userId]);
}

/** @returns false when the account is not connected */
export async function disconnectAccount(connection: Transaction, userId: string): Promise<boolean> {
  return (await connection.execute(disconnectStatement, [userId])) > 0;
}

/** Notes that a session began at a provider. */
export async function noteSession(
  transaction: Transaction,
  session: { id: string; userId: string },
  { issuer, subject, sid }: ProviderIdentity,
): Promise<void> {
  await transaction.execute(noteStatement, [session.id, session.userId, issuer, subject, sid]);
}

/** The sessions that a logout at the provider ends; it drops sign-ins that wait for their page. */
export async function findEnded(transaction: Transaction, { issuer, subject, sid }: LogoutToken) {
  await transaction.execute(dropStatement, [issuer, subject, sid]);
  return transaction.query(endedStatement, [issuer, subject, sid]);
}

/** Sign-ins that no page went on with. */
export const expiredSignIns = defineExpiry({
  name: "expired oidc sign-ins",
  table: "oidc_sign_ins",
  key: "code_hash",
  where: "expires_at < now()",
  order: "expires_at",
});

/** Tokens that count once, and are too old to count. */
export const expiredUsedTokens = defineExpiry({
  name: "expired oidc tokens",
  table: "oidc_used_tokens",
  key: "token_hash",
  where: "expires_at < now()",
  order: "expires_at",
});

/**
 * For how long a provider can end the connections of a session that has no refresh token any more: newer sessions may have
 * dropped these.
 */
const oidcSessionDays = 30;

/** Expired sessions that began at a provider. */
export const expiredOidcSessions = defineExpiry({
  name: "expired oidc sessions",
  table: "oidc_sessions",
  key: "session_id",
  where: `created_at < now() - make_interval(days => $2)
    AND NOT EXISTS (SELECT FROM refresh_sessions r WHERE r.family_id = t.session_id)`,
  order: "created_at",
  values: [oidcSessionDays],
});
