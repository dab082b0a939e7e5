import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { endSession } from "../auth/repository.js";
import { findSessions, isOwnSession } from "./repository.js";
import type { AccountSession } from "./schema.js";

export function createSessionService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  // A session ends once, so its event has no order to keep with others.
  const end = (userId: string, sessionId: string) =>
    outbox.transaction([], async (transaction, emit) => {
      await endSession(transaction, { userId, sessionId });
      emit(createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id: null, session_id: sessionId }));
    });

  return {
    /** The caller's sessions, newest first. */
    async list(userId: string, currentId: string | null): Promise<AccountSession[]> {
      const rows = await findSessions(database, userId);
      return rows.map((row) => ({
        id: row.id,
        user_agent: row.user_agent,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
        current: row.id === currentId,
      }));
    },

    /** Ends one of the caller's sessions: its tokens are refused and its gateway connections closed. */
    async end(userId: string, sessionId: string): Promise<void> {
      if (!(await isOwnSession(database, userId, sessionId))) throw notFound(errorTexts.session_not_found);
      await end(userId, sessionId);
    },

    /** Ends the session that the request was made with; a token without one ends by itself. */
    async logout(userId: string, sessionId: string | null): Promise<void> {
      if (sessionId !== null) await end(userId, sessionId);
    },
  };
}

/** The sessions of the caller's account (docs/protocol/accounts.md#18.2). */
export type SessionService = ReturnType<typeof createSessionService>;
