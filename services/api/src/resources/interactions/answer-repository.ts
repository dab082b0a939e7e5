import {
  type CommandChoice,
  conflict,
  errorTexts,
  type InteractionMessage,
  type Modal,
  notFound,
} from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { DraftInteraction } from "../messages/draft.js";
import { announceAfterSeconds } from "./limits.js";

/** What is stored of an answer that is no message of the channel. */
export interface StoredAnswer {
  message?: InteractionMessage;
  modal?: Modal;
  choices?: CommandChoice[];
}

const states = ["pending", "deferred", "answered", "failed"] as const;

/** An interaction as answers and its invoker need it. */
export const interactionRow = z.object({
  id: z.string(),
  bot_user_id: z.string(),
  user_id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  type: z.enum(["command", "component", "modal", "autocomplete"]),
  name: z.string(),
  state: z.enum(states),
  is_ephemeral: z.boolean(),
  message_id: z.string().nullable(),
  answer: z.custom<StoredAnswer>().nullable(),
});
export type InteractionRow = z.infer<typeof interactionRow>;

/** The columns of {@link interactionRow}, in a statement where the table has the alias `i`. */
export const interactionColumns = Object.keys(interactionRow.shape)
  .map((column) => `i.${column}`)
  .join(", ");

/** SQL for what a state that is to be announced sets. */
export const toBeAnnounced = `announce_at = now() + make_interval(secs => ${announceAfterSeconds})`;
/** SQL for whether an interaction `i` that waits for an answer may still get it. */
const isInTime = "(i.due_at IS NULL OR i.due_at > now()) AND i.expires_at > now()";

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

/** $3: the new state, $4: what is stored of the answer, $5: whether the answer to come is for the invoker alone. */
const answerStatement = defineStatement({
  name: "interaction_answer",
  text: `UPDATE interactions i
    SET state = $3, answer = $4::jsonb, message_id = NULL, frame = NULL, is_ephemeral = $5,
      due_at = CASE WHEN $3 = 'deferred' THEN i.expires_at END, ${toBeAnnounced}
    WHERE i.id = $1 AND i.state = $2 AND ${isInTime}
    RETURNING ${interactionColumns}`,
  row: interactionRow,
});

const findStatement = defineStatement({
  name: "interaction_find",
  text: `SELECT ${interactionColumns} FROM interactions i WHERE i.id = $1 AND i.expires_at > now()`,
  row: interactionRow,
});

/** @throws ServiceError 404 when its time is over, 409 when it stands otherwise than the answer expects */
export async function requireAnswerable(connection: Queryable, { id, expected }: DraftInteraction): Promise<void> {
  const [state] = await connection.query(stateStatement, [id]);
  if (state === undefined || state === "failed") throw notFound(errorTexts.interaction_not_found);
  if (state !== expected) throw conflict(errorTexts.already_answered);
}

/**
 * Answers an interaction with what is no message of the channel.
 *
 * @returns null when it stands otherwise than expected, or its time is over
 */
export async function storeAnswer(
  connection: Queryable,
  { id, expected }: Pick<DraftInteraction, "id" | "expected">,
  answer: { state: "deferred" | "answered"; stored: StoredAnswer | null; isEphemeral: boolean },
): Promise<InteractionRow | null> {
  const { state, stored, isEphemeral } = answer;
  const values = [id, expected, state, stored === null ? null : JSON.stringify(stored), isEphemeral];
  const [row] = await connection.query(answerStatement, values);
  return row ?? null;
}

/** An interaction whose 15 minutes are not over. */
export async function findInteraction(connection: Queryable, id: string): Promise<InteractionRow | null> {
  const [row] = await connection.query(findStatement, [id]);
  return row ?? null;
}
