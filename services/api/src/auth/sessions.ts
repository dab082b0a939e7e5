import { deriveSuccessor, generateToken, hashToken } from "@parley/auth";
import { type Connection, type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { refreshGraceSeconds, refreshTtlSeconds, sessionsMax } from "./limits.js";

/** Refresh tokens: issued, rotated, ended (contract.md 2 and 5.1). Only their hashes are stored. */
export interface Sessions {
  /** Starts a session and returns its first refresh token; the oldest beyond ten are dropped. */
  start(connection: Connection, userId: string): Promise<string>;
  /**
   * Exchanges a refresh token for its successor. Within the grace after its first use the same successor comes again;
   * a use after that ends the whole session, because the token has leaked.
   *
   * @returns null for a token that is unknown, expired or used up
   */
  rotate(token: string): Promise<{ userId: string; successor: string } | null>;
}

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
      SELECT id, user_id, family_id, used_at FROM refresh_sessions
      WHERE token_hash = $1 AND expires_at > now()
      FOR UPDATE),
    used AS (
      UPDATE refresh_sessions SET used_at = now() WHERE id IN (SELECT id FROM presented WHERE used_at IS NULL)),
    successor AS (
      INSERT INTO refresh_sessions (user_id, family_id, token_hash, expires_at)
      SELECT user_id, family_id, $2, now() + make_interval(secs => $3) FROM presented WHERE used_at IS NULL
      ON CONFLICT (token_hash) DO NOTHING)
    SELECT user_id, family_id, used_at < now() - make_interval(secs => $4) AS leaked FROM presented`,
  row: z.object({ user_id: z.string(), family_id: z.string(), leaked: z.boolean().nullable() }),
});

const endStatement = defineStatement({
  name: "session_end",
  text: "DELETE FROM refresh_sessions WHERE family_id = $1",
});

/** @param options.secret from which successors are derived */
export function createSessions({ database, secret }: { database: Database; secret: string }): Sessions {
  return {
    async start(connection, userId) {
      const token = generateToken();
      await connection.execute(startStatement, [userId, hashToken(token), refreshTtlSeconds]);
      await connection.execute(dropOldestStatement, [userId, sessionsMax]);
      return token;
    },
    async rotate(token) {
      const successor = deriveSuccessor(secret, token);
      const [presented] = await database.query(useStatement, [
        hashToken(token),
        hashToken(successor),
        refreshTtlSeconds,
        refreshGraceSeconds,
      ]);
      if (presented === undefined) return null;
      if (presented.leaked === true) {
        await database.execute(endStatement, [presented.family_id]);
        return null;
      }
      return { userId: presented.user_id, successor };
    },
  };
}
