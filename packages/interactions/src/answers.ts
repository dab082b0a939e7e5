import { conflict, errorTexts, type InteractionMessage, type MessageInteraction, notFound } from "@parley/contracts";
import { defineStatement, type Queryable, type RawRow } from "@parley/database";
import { z } from "zod";
import { isAnswerable, toBeAnnounced } from "./conditions.js";
import { type InteractionRow, interactionColumns, interactionRow, type StoredAnswer } from "./rows.js";

/** The interaction that a message of a bot answers. */
export interface AnsweredInteraction extends MessageInteraction {
  /** The message is stored only if the interaction has this state. */
  expected: "pending" | "deferred" | "answered";
}

/** An answer to be stored. */
export interface NewAnswer {
  state: "deferred" | "answered";
  stored: StoredAnswer | null;
  isEphemeral: boolean;
  /** The message of the channel that it replaces. */
  messageId?: string | undefined;
}

/**
 * SQL that answers interactions with messages: those that stand as expected and take answers. It returns
 * `message_id` of each.
 *
 * @param answers name of a CTE with `id` of the message, `interaction_id` and `expected`
 */
export const answerInteractions = (answers: string) => `UPDATE interactions i
      SET state = 'answered', message_id = ${answers}.id, answer = NULL, frame = NULL, due_at = NULL,
        original_id = CASE i.state WHEN 'answered' THEN i.original_id ELSE ${answers}.id END, ${toBeAnnounced}
      FROM ${answers}
      WHERE i.id = ${answers}.interaction_id AND i.state = ${answers}.expected AND ${isAnswerable}
      RETURNING i.message_id`;

/**
 * $3: the new state, $4: the stored answer, $5: whether the answer to come is for the invoker alone, $6: the message of
 * the channel that it replaces.
 */
const answerStatement = defineStatement({
  name: "interaction_answer",
  text: `UPDATE interactions i
    SET state = $3, answer = $4::jsonb, message_id = $6, frame = NULL, is_ephemeral = $5,
      due_at = CASE WHEN $3 = 'deferred' THEN i.expires_at END,
      original_id = CASE i.state WHEN 'answered' THEN i.original_id
        ELSE coalesce($6::uuid, ($4::jsonb #>> '{message,id}')::uuid) END,
      original = CASE WHEN i.state <> 'answered' OR i.original_id::text = $4::jsonb #>> '{message,id}'
        THEN $4::jsonb -> 'message' ELSE i.original END,
      ${toBeAnnounced}
    WHERE i.id = $1 AND i.state = $2 AND ${isAnswerable}
    RETURNING ${interactionColumns}`,
  row: interactionRow,
});

const stateStatement = defineStatement({
  name: "interaction_state",
  text: `SELECT i.state FROM interactions i WHERE i.id = $1 AND ${isAnswerable}`,
  row: (row: RawRow) => String(row.state),
});

/** The latest interaction has the last update of the message. */
const ephemeralStatement = defineStatement({
  name: "interaction_ephemeral",
  text: `SELECT i.answer -> 'message' AS message FROM interactions i
    WHERE i.answer -> 'message' ->> 'id' = $1::uuid::text AND i.user_id = $2 AND i.channel_id = $3 AND i.expires_at > now()
    ORDER BY i.id DESC LIMIT 1`,
  row: z.object({ message: z.custom<InteractionMessage>() }),
});

/** @throws ServiceError 404 when it takes no answers any more, 409 when it stands otherwise than the answer expects */
export async function requireAnswerable(connection: Queryable, { id, expected }: AnsweredInteraction): Promise<void> {
  const [state] = await connection.query(stateStatement, [id]);
  if (state === undefined || state === "failed") throw notFound(errorTexts.interaction_not_found);
  if (state !== expected) throw conflict(errorTexts.already_answered);
}

/**
 * Answers an interaction without a new message of the channel.
 *
 * @returns null when it has another state than expected, or takes no answers any more
 */
export async function storeAnswer(
  connection: Queryable,
  { id, expected }: Pick<AnsweredInteraction, "id" | "expected">,
  answer: NewAnswer,
): Promise<InteractionRow | null> {
  const { state, stored, isEphemeral, messageId = null } = answer;
  const values = [id, expected, state, stored === null ? null : JSON.stringify(stored), isEphemeral, messageId];
  const [row] = await connection.query(answerStatement, values);
  return row ?? null;
}

/**
 * A message that somebody alone got in a channel, while an interaction that it is the latest answer to is kept; null once it was
 * taken back.
 */
export async function findEphemeralMessage(
  connection: Queryable,
  { messageId, userId, channelId }: { messageId: string; userId: string; channelId: string },
): Promise<InteractionMessage | null> {
  const [row] = await connection.query(ephemeralStatement, [messageId, userId, channelId]);
  return row === undefined || row.message.deleted ? null : row.message;
}
