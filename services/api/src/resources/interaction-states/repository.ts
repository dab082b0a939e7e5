import { conflict, errorTexts, type MessageInteraction, notFound } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";

// How an interaction stands, which a message that answers it changes in the statement that stores it.

/** What a message of a bot answers. */
export interface AnsweredInteraction extends MessageInteraction {
  /** Stands the interaction otherwise when the message is to be stored, it is not. */
  expected: "pending" | "deferred" | "answered";
}

/** After this time another process announces a state that was stored and not announced. */
const announceAfterSeconds = 1;

/** SQL for when another process announces a state. */
export const nextAnnouncement = `now() + make_interval(secs => ${announceAfterSeconds})`;
/** SQL for what a state that is to be announced sets. */
export const toBeAnnounced = `announce_at = ${nextAnnouncement}`;
/** SQL for whether an interaction `i` that waits for an answer may still get it. */
export const isInTime = "(i.due_at IS NULL OR i.due_at > now()) AND i.expires_at > now()";

/**
 * SQL that answers interactions with messages: those that stand as expected and whose time is not over. It returns
 * `message_id` of each.
 *
 * @param answers name of a CTE with `id` of the message, `interaction_id` and `expected`
 */
export const answerInteractions = (answers: string) => `UPDATE interactions i
      SET state = 'answered', message_id = ${answers}.id, answer = NULL, frame = NULL, due_at = NULL, ${toBeAnnounced}
      FROM ${answers}
      WHERE i.id = ${answers}.interaction_id AND i.state = ${answers}.expected AND ${isInTime}
      RETURNING i.message_id`;

const stateStatement = defineStatement({
  name: "interaction_state",
  text: `SELECT i.state FROM interactions i WHERE i.id = $1 AND ${isInTime}`,
  row: (row: RawRow) => String(row.state),
});

/** @throws ServiceError 404 when its time is over, 409 when it stands otherwise than the answer expects */
export async function requireAnswerable(connection: Queryable, { id, expected }: AnsweredInteraction): Promise<void> {
  const [state] = await connection.query(stateStatement, [id]);
  if (state === undefined || state === "failed") throw notFound(errorTexts.interaction_not_found);
  if (state !== expected) throw conflict(errorTexts.already_answered);
}
