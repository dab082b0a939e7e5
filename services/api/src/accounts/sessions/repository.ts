import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

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

/** The sessions of an account that are in force, newest first. */
export function findSessions(connection: Queryable, userId: string) {
  return connection.query(listStatement, [userId]);
}

/** Whether the session is one of the account and in force. */
export async function isOwnSession(connection: Queryable, userId: string, sessionId: string): Promise<boolean> {
  return (await connection.query(ownStatement, [userId, sessionId])).length > 0;
}
