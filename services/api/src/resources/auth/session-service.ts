import { createEvent, errorTexts, notFound } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { z } from "zod";
import type { AccountSession } from "./session-schema.js";
import { endSession } from "./sessions.js";

const inForce = `user_id = $1 AND expires_at > now()
  AND session_version = (SELECT session_version FROM users WHERE id = $1)
  AND NOT EXISTS (SELECT FROM ended_sessions e WHERE e.id = family_id)`;

const listStatement = defineStatement({
  name: "session_list",
  text: `SELECT family_id AS id, max(user_agent) AS user_agent, uuid_extract_timestamp(family_id) AS created_at,
      max(created_at) AS last_used_at, max(expires_at) AS expires_at
    FROM refresh_sessions WHERE ${inForce}
    GROUP BY family_id ORDER BY family_id DESC`,
  row: z.object({
    id: z.string(),
    user_agent: z.string().nullable(),
    created_at: z.date(),
    last_used_at: z.date(),
    expires_at: z.date(),
  }),
});

const ownStatement = defineStatement({
  name: "session_own",
  text: `SELECT family_id AS id FROM refresh_sessions WHERE ${inForce} AND family_id = $2 LIMIT 1`,
  row: z.object({ id: z.string() }),
});

export function createSessionService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  // A session ends once, so its event has no order to keep with others.
  const end = (userId: string, sessionId: string) =>
    outbox.transaction([], async (transaction, emit) => {
      await endSession(transaction, sessionId);
      emit(createEvent("SESSION_CLOSE", { user_id: userId }, { connection_id: null, session_id: sessionId }));
    });

  return {
    /** The caller's sessions, newest first. */
    async list(userId: string, currentId: string | null): Promise<AccountSession[]> {
      const rows = await database.query(listStatement, [userId]);
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
      const [own] = await database.query(ownStatement, [userId, sessionId]);
      if (own === undefined) throw notFound(errorTexts.session_not_found);
      await end(userId, own.id);
    },

    /** Ends the session that the request was made with; a token without one ends by itself. */
    async logout(userId: string, sessionId: string | null): Promise<void> {
      if (sessionId !== null) await end(userId, sessionId);
    },
  };
}

/** The sessions of the caller's account (docs/interface.md#18.2). */
export type SessionService = ReturnType<typeof createSessionService>;
