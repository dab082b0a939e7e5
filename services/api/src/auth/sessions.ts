import { deriveSuccessor, generateToken, hashToken, openSealedToken, sealToken } from "@parley/auth";
import { type Database, defineStatement, type Queryable } from "@parley/database";
import { z } from "zod";
import { refreshGraceSeconds, refreshTtlSeconds, sessionsMax } from "./limits.js";

const startStatement = defineStatement({
  name: "session_start",
  text: `INSERT INTO refresh_sessions (user_id, family_id, token_hash, expires_at)
    VALUES ($1, uuidv7(), $2, now() + make_interval(secs => $3))`,
});

/** A family is one session; its age is that of its first token, because the families' ids are UUIDv7. */
const dropOldestStatement = defineStatement({
  name: "session_drop_oldest",
  text: `DELETE FROM refresh_sessions WHERE user_id = $1 AND (expires_at < now() OR family_id NOT IN (
      SELECT family_id FROM refresh_sessions
      WHERE user_id = $1 AND expires_at >= now()
      GROUP BY family_id ORDER BY family_id DESC LIMIT $2))`,
});

const useStatement = defineStatement({
  name: "session_use",
  text: `WITH presented AS (
      SELECT id, user_id, family_id, used_at, sealed_successor FROM refresh_sessions
      WHERE token_hash = $1 AND expires_at > now()
      FOR UPDATE),
    used AS (
      UPDATE refresh_sessions SET used_at = now(), sealed_successor = $5
      WHERE id IN (SELECT id FROM presented WHERE used_at IS NULL)),
    successor AS (
      INSERT INTO refresh_sessions (user_id, family_id, token_hash, expires_at)
      SELECT user_id, family_id, $2, now() + make_interval(secs => $3) FROM presented WHERE used_at IS NULL)
    SELECT user_id, family_id, used_at IS NOT NULL AS used, used_at < now() - make_interval(secs => $4) AS leaked,
      sealed_successor
    FROM presented`,
  row: z.object({
    user_id: z.string(),
    family_id: z.string(),
    used: z.boolean(),
    leaked: z.boolean().nullable(),
    sealed_successor: z.string().nullable(),
  }),
});

const endStatement = defineStatement({
  name: "session_end",
  text: "DELETE FROM refresh_sessions WHERE family_id = $1",
});

/** @param options.secret from which processes of the version before derive successors */
export function createSessions({ database, secret }: { database: Database; secret: string }) {
  /** The first use of a token stores its successor, sealed; a repeated use within the grace unseals it. */
  const successorOf = (presented: { used: boolean; sealed_successor: string | null }, token: string, fresh: string) => {
    if (!presented.used) return fresh;
    const { sealed_successor: sealed } = presented;
    return sealed === null ? deriveSuccessor(secret, token) : openSealedToken(token, sealed);
  };

  return {
    /** Starts a session and returns its first refresh token; the oldest beyond ten are dropped. */
    async start(connection: Queryable, userId: string): Promise<string> {
      const token = generateToken();
      await connection.execute(startStatement, [userId, hashToken(token), refreshTtlSeconds]);
      await connection.execute(dropOldestStatement, [userId, sessionsMax]);
      return token;
    },
    /**
     * Exchanges a refresh token for its successor. Within the grace after its first use the same successor comes again;
     * a use after that ends the whole session, because the token has leaked.
     *
     * @returns null for a token that is unknown, expired or used up
     */
    async rotate(token: string): Promise<{ userId: string; successor: string } | null> {
      const fresh = generateToken();
      const [presented] = await database.query(useStatement, [
        hashToken(token),
        hashToken(fresh),
        refreshTtlSeconds,
        refreshGraceSeconds,
        sealToken(token, fresh),
      ]);
      if (presented === undefined) return null;
      if (presented.leaked === true) {
        await database.execute(endStatement, [presented.family_id]);
        return null;
      }
      return { userId: presented.user_id, successor: successorOf(presented, token, fresh) };
    },
  };
}

/**
 * Refresh tokens: issued, rotated, ended (docs/interface.md#2 and docs/interface.md#5.1). Only their hashes are stored.
 */
export type Sessions = ReturnType<typeof createSessions>;
