import { deriveSuccessor, generateToken, hashToken, openSealedToken, type SessionClaim, sealToken } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { refreshGraceSeconds, refreshTtlSeconds, sessionsMax, userAgentLengthMax } from "./limits.js";

const startStatement = defineStatement({
  name: "session_start",
  text: `INSERT INTO refresh_sessions (user_id, family_id, session_version, token_hash, expires_at, user_agent)
    VALUES ($1, uuidv7(), $2, $3, now() + make_interval(secs => $4), $5) RETURNING family_id`,
  row: (row: RawRow) => String(row.family_id),
});

/** A family is one session; its age is that of its first token, because the families' ids are UUIDv7. */
const dropOldestStatement = defineStatement({
  name: "session_drop_oldest",
  text: `DELETE FROM refresh_sessions WHERE user_id = $1 AND (expires_at < now() OR family_id NOT IN (
      SELECT family_id FROM refresh_sessions
      WHERE user_id = $1 AND session_version = $3 AND expires_at >= now()
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

const removeStatement = defineStatement({
  name: "session_remove",
  text: "DELETE FROM refresh_sessions WHERE family_id = $1",
});

const endAllStatement = defineStatement({
  name: "session_end_all",
  text: "UPDATE users SET session_version = session_version + 1 WHERE id = $1 RETURNING session_version",
  row: z.object({ session_version: z.int() }),
});

/** An account whose sessions are of that version. */
export interface SessionOwner {
  id: string;
  session_version: number;
}

/** A session with the refresh token that continues it. */
export interface StartedSession {
  session: SessionClaim;
  refreshToken: string;
}

/** The session of an exchanged refresh token; `disabled` when it ended because the account was disabled. */
export type Rotated = (StartedSession & { userId: string }) | "disabled" | null;

/** @param options.secret from which processes of the version before derive successors */
export function createAccountSessions({ database, secret }: { database: Database; secret: string }) {
  /** The first use of a token stores its successor, sealed; a repeated use within the grace unseals it. */
  const successorOf = (presented: { used: boolean; sealed_successor: string | null }, token: string, fresh: string) => {
    if (!presented.used) return fresh;
    const { sealed_successor: sealed } = presented;
    return sealed === null ? deriveSuccessor(secret, token) : openSealedToken(token, sealed);
  };

  return {
    /**
     * Starts a session; the oldest beyond ten are dropped. When all sessions of the account end at the same moment, this
     * one, of the version that was read with the account, has ended, too.
     */
    async start(connection: Queryable, owner: SessionOwner, userAgent: string | undefined): Promise<StartedSession> {
      const { id, session_version: version } = owner;
      const token = generateToken();
      const agent = [...(userAgent ?? "")].slice(0, userAgentLengthMax).join("") || null;
      const values = [id, version, hashToken(token), refreshTtlSeconds, agent];
      const [family = ""] = await connection.query(startStatement, values);
      await connection.execute(dropOldestStatement, [id, sessionsMax, version]);
      return { session: { id: family, version }, refreshToken: token };
    },

    /**
     * Exchanges a refresh token for its successor. Within the grace after its first use the same successor comes again;
     * a use after that ends the whole session, because the token has leaked.
     *
     * @returns null for a token that is unknown, expired, used up or of a session that has ended
     */
    async rotate(token: string): Promise<Rotated> {
      const fresh = generateToken();
      const [presented] = await database.query(useStatement, [
        hashToken(token),
        hashToken(fresh),
        refreshTtlSeconds,
        refreshGraceSeconds,
        sealToken(token, fresh),
      ]);
      if (presented === undefined || presented.ended) return null;
      const { family_id: id, session_version: version, user_id: userId } = presented;
      if (presented.leaked) {
        await endSession(database, id);
        return null;
      }
      // The last step of the version was that of disabling the account: the token was valid until then.
      if (presented.disabled && presented.versions_behind <= 1) return "disabled";
      if (presented.versions_behind !== 0) return null;
      return { userId, session: { id, version }, refreshToken: successorOf(presented, token, fresh) };
    },
  };
}

/**
 * Refresh tokens: issued, rotated, ended (docs/interface.md#2 and docs/interface.md#5.1). Only their hashes are stored.
 */
export type AccountSessions = ReturnType<typeof createAccountSessions>;

/** Ends one session: its refresh token and its access tokens are refused from the commit on. */
export async function endSession(connection: Queryable, sessionId: string): Promise<void> {
  await connection.execute(endStatement, [sessionId]);
  await connection.execute(removeStatement, [sessionId]);
}

/**
 * Ends all sessions of an account: refresh and access tokens are refused from the commit on.
 *
 * @returns the version of sessions that start from now on; null when there is no such account
 */
export async function endAllSessions(transaction: Transaction, userId: string): Promise<number | null> {
  const [ended] = await transaction.query(endAllStatement, [userId]);
  return ended?.session_version ?? null;
}
