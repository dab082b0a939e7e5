import { deriveSuccessor, generateToken, hashToken, openSealedToken, type SessionClaim, sealToken } from "@parley/auth";
import type { Database, Queryable } from "@parley/database/prisma";
import { endSession, insertSession, type SessionOwner, useRefreshToken } from "./repository.js";

/** Longest part of a User-Agent that is kept with a session, in characters. */
const userAgentLengthMax = 256;

/** A session with the refresh token that continues it. */
export interface StartedSession {
  session: SessionClaim;
  refreshToken: string;
}

/** The session of an exchanged refresh token; `disabled` when it ended because the account was disabled. */
export type RefreshResult = (StartedSession & { userId: string }) | "disabled" | null;

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
     * Starts a session; the oldest beyond ten are trimmed. It has the version that was read with the account, so it is
     * not in force if all sessions of the account have ended since.
     */
    async start(connection: Queryable, owner: SessionOwner, userAgent: string | undefined): Promise<StartedSession> {
      const token = generateToken();
      const agent = [...(userAgent ?? "")].slice(0, userAgentLengthMax).join("") || null;
      const id = await insertSession(connection, owner, { hash: hashToken(token), userAgent: agent });
      return { session: { id, version: owner.session_version }, refreshToken: token };
    },

    /**
     * Exchanges a refresh token for its successor. Within the grace after its first use the same successor comes again;
     * a use after that ends the whole session, because the token has leaked.
     *
     * @returns null for a token that is unknown, expired, used up or of a session that has ended
     */
    async rotate(token: string): Promise<RefreshResult> {
      const fresh = generateToken();
      const presented = await useRefreshToken(database, {
        hash: hashToken(token),
        successorHash: hashToken(fresh),
        sealedSuccessor: sealToken(token, fresh),
      });
      if (presented === undefined || presented.ended) return null;
      const { family_id: id, session_version: version, user_id: userId } = presented;
      if (presented.leaked) {
        await database.transaction((transaction) => endSession(transaction, { userId, sessionId: id }));
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
 * Refresh tokens: issued, rotated, ended (docs/protocol/accounts.md#2 and docs/protocol/accounts.md#5.1). Only their hashes are stored.
 */
export type AccountSessions = ReturnType<typeof createAccountSessions>;
