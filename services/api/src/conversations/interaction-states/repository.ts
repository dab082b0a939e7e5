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
const isInTime = "(i.due_at IS NULL OR i.due_at > now()) AND i.expires_at > now()";

/** SQL for whether the invoker of an interaction `i` is still where it began, and has not left in between. */
export const invokerStays = `EXISTS (SELECT FROM channels c JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = s.id AND m.user_id = i.user_id
      WHERE c.id = i.channel_id AND m.joined_at <= i.created_at)`;
/** SQL for whether the bot of an interaction `i` is still there, with the token that it had. */
export const botStays = `EXISTS (SELECT FROM bots b JOIN users u ON u.id = b.user_id
      JOIN members m ON m.server_id = i.server_id AND m.user_id = b.user_id
      WHERE b.user_id = i.bot_user_id AND b.revoked_at IS NULL AND m.joined_at <= i.created_at
        AND coalesce(i.bot_session_version = u.session_version, true))`;
/** SQL for whether an interaction `i` takes answers: for everything that stores one, beside how it stands. */
export const isAnswerable = `${isInTime} AND ${invokerStays} AND ${botStays}`;

/**
 * SQL that answers interactions with messages: those that stand as expected and take answers. It returns
 * `message_id` of each.
 *
 * @param answers name of a CTE with `id` of the message, `interaction_id` and `expected`
 */
export const answerInteractions = (answers: string) => `UPDATE interactions i
      SET state = 'answered', message_id = ${answers}.id, answer = NULL, frame = NULL, due_at = NULL, ${toBeAnnounced}
      FROM ${answers}
      WHERE i.id = ${answers}.interaction_id AND i.state = ${answers}.expected AND ${isAnswerable}
      RETURNING i.message_id`;

const stateStatement = defineStatement({
  name: "interaction_state",
  text: `SELECT i.state FROM interactions i WHERE i.id = $1 AND ${isAnswerable}`,
  row: (row: RawRow) => String(row.state),
});

/** @throws ServiceError 404 when it takes no answers any more, 409 when it stands otherwise than the answer expects */
export async function requireAnswerable(connection: Queryable, { id, expected }: AnsweredInteraction): Promise<void> {
  const [state] = await connection.query(stateStatement, [id]);
  if (state === undefined || state === "failed") throw notFound(errorTexts.interaction_not_found);
  if (state !== expected) throw conflict(errorTexts.already_answered);
}
