import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { lockExistingAccount } from "../../access/repository.js";
import { removeSubscriptions, removeSubscriptionsOf } from "../../notices/push-subscriptions/repository.js";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import { endedSessionKeptSeconds, knownAddressDays, refreshGraceSeconds, refreshTtlSeconds } from "./limits.js";

/** Live sessions per user; a login beyond trims the oldest. */
const sessionsMax = 10;

/** An account whose sessions are of that version. */
export interface SessionOwner {
  id: string;
  session_version: number;
}

const startStatement = defineStatement({
  name: "session_start",
  text: `INSERT INTO refresh_sessions (user_id, family_id, session_version, token_hash, expires_at, user_agent)
    VALUES ($1, uuidv7(), $2, $3, now() + make_interval(secs => $4), $5) RETURNING family_id`,
  row: (row: RawRow) => String(row.family_id),
});

/**
 * A family is one session; its age is that of its first token, because the families' ids are UUIDv7. A login that is late begins a session
 * of a former version, and trims none of the present one.
 */
const trimStatement = defineStatement({
  name: "session_trim",
  text: `DELETE FROM refresh_sessions WHERE user_id = $1 AND (expires_at < now() OR family_id NOT IN (
      SELECT family_id FROM refresh_sessions
      WHERE user_id = $1 AND session_version >= $3 AND expires_at >= now()
      GROUP BY family_id ORDER BY family_id DESC LIMIT $2))`,
});

/** Only a token whose session is in force is used: no successor is made for another one. */
const useStatement = defineStatement({
  name: "session_use",
  text: `WITH presented AS (
      SELECT s.id, s.user_id, s.family_id, s.session_version, s.used_at, s.sealed_successor, s.user_agent,
        u.session_version - s.session_version AS versions_behind, u.disabled_at IS NOT NULL AS disabled,
        EXISTS (SELECT FROM ended_sessions e WHERE e.id = s.family_id) AS ended
      FROM refresh_sessions s JOIN users u ON u.id = s.user_id
      WHERE s.token_hash = $1 AND s.expires_at > now()
      FOR UPDATE OF s),
    fresh AS (
      SELECT * FROM presented WHERE used_at IS NULL AND versions_behind = 0 AND NOT disabled AND NOT ended),
    used AS (
      UPDATE refresh_sessions SET used_at = now(), sealed_successor = $5 WHERE id IN (SELECT id FROM fresh)),
    successor AS (
      INSERT INTO refresh_sessions (user_id, family_id, session_version, token_hash, expires_at, user_agent)
      SELECT user_id, family_id, session_version, $2, now() + make_interval(secs => $3), user_agent FROM fresh)
    SELECT user_id, family_id, session_version, used_at IS NOT NULL AS used,
      coalesce(used_at < now() - make_interval(secs => $4), false) AS leaked,
      sealed_successor, versions_behind, disabled, ended
    FROM presented`,
  row: z.object({
    user_id: z.string(),
    family_id: z.string(),
    session_version: z.int(),
    used: z.boolean(),
    leaked: z.boolean(),
    sealed_successor: z.string().nullable(),
    versions_behind: z.int(),
    disabled: z.boolean(),
    ended: z.boolean(),
  }),
});

const endStatement = defineStatement({
  name: "session_end",
  text: "INSERT INTO ended_sessions (id) VALUES ($1) ON CONFLICT DO NOTHING",
});

const deleteStatement = defineStatement({
  name: "session_delete",
  text: "DELETE FROM refresh_sessions WHERE family_id = $1",
});

const endAllStatement = defineStatement({
  name: "session_end_all",
  text: "UPDATE users SET session_version = session_version + 1 WHERE id = $1 RETURNING session_version",
  row: z.object({ session_version: z.int() }),
});

/** Starts a session with its first refresh token; the oldest beyond {@link sessionsMax} are trimmed. @returns its id */
export async function insertSession(
  connection: Queryable,
  { id, session_version }: SessionOwner,
  token: { hash: string; userAgent: string | null },
): Promise<string> {
  const [family = ""] = await connection.query(startStatement, [
    id,
    session_version,
    token.hash,
    refreshTtlSeconds,
    token.userAgent,
  ]);
  await connection.execute(trimStatement, [id, sessionsMax, session_version]);
  return family;
}

/** Reads a refresh token by its hash, and stores its successor at its first use. */
export async function useRefreshToken(
  connection: Queryable,
  token: { hash: string; successorHash: string; sealedSuccessor: string },
) {
  const values = [token.hash, token.successorHash, refreshTtlSeconds, refreshGraceSeconds, token.sealedSuccessor];
  const [presented] = await connection.query(useStatement, values);
  return presented;
}

/**
 * Ends one session: its refresh token and its access tokens are refused from the commit on, and no pushes go to the devices that
 * it has named.
 */
export async function endSession(
  transaction: Transaction,
  session: { userId: string; sessionId: string },
): Promise<void> {
  await lockExistingAccount(transaction, session.userId);
  await transaction.execute(endStatement, [session.sessionId]);
  await transaction.execute(deleteStatement, [session.sessionId]);
  await removeSubscriptionsOf(transaction, session);
}

/**
 * Ends all sessions of an account: refresh and access tokens are refused from the commit on, and no pushes go to its devices.
 *
 * @returns the version of sessions that start from now on; null when there is no such account
 */
export async function endAllSessions(transaction: Transaction, userId: string): Promise<number | null> {
  const [ended] = await transaction.query(endAllStatement, [userId]);
  // A statement of its own: it sees subscriptions that were stored while the one before waited for them.
  await removeSubscriptions(transaction, userId);
  return ended?.session_version ?? null;
}

const knownStatement = defineStatement({
  name: "login_known_address",
  text: `SELECT a.user_id FROM users u JOIN login_addresses a ON a.user_id = u.id
    WHERE u.username = $1 AND a.address_hash = $2 AND a.last_login_at > now() - make_interval(days => $3)`,
  row: (row: RawRow) => String(row.user_id),
});

const rememberStatement = defineStatement({
  name: "login_remember_address",
  text: `INSERT INTO login_addresses (user_id, address_hash) VALUES ($1, $2)
    ON CONFLICT (user_id, address_hash) DO UPDATE SET last_login_at = now()`,
});

/** Whether the account with this name has logged in from the address within {@link knownAddressDays} days. */
export async function isKnownAddress(connection: Queryable, username: string, addressHash: string): Promise<boolean> {
  return (await connection.query(knownStatement, [username, addressHash, knownAddressDays])).length > 0;
}

export async function rememberAddress(connection: Queryable, userId: string, addressHash: string): Promise<void> {
  await connection.execute(rememberStatement, [userId, addressHash]);
}

export const expiredSessions = defineExpiry({
  name: "expired sessions",
  table: "refresh_sessions",
  where: "expires_at < now()",
  order: "expires_at",
});

/** A successor is issued again only within the grace; after that its sealed copy is removed. */
export const expiredSuccessors = defineExpiry({
  name: "expired successors",
  table: "refresh_sessions",
  set: "sealed_successor = NULL",
  where: "used_at < now() - make_interval(secs => $2) AND sealed_successor IS NOT NULL",
  order: "used_at",
  values: [refreshGraceSeconds],
});

export const expiredAddresses = defineExpiry({
  name: "expired addresses",
  table: "login_addresses",
  key: "user_id, address_hash",
  where: "last_login_at < now() - make_interval(days => $2)",
  order: "last_login_at",
  values: [knownAddressDays],
});

/** No token of the session can be left: a successor that was issued at the moment of the end has expired, too. */
export const expiredEndedSessions = defineExpiry({
  name: "expired ended sessions",
  table: "ended_sessions",
  where: "ended_at < now() - make_interval(secs => $2)",
  order: "ended_at",
  values: [endedSessionKeptSeconds],
});
