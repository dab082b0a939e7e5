import type { CommandChoice, InteractionMessage, Modal } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { type AnsweredInteraction, isInTime, toBeAnnounced } from "../interaction-states/repository.js";

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

/**
 * Answers an interaction with what is no message of the channel.
 *
 * @returns null when it stands otherwise than expected, or its time is over
 */
export async function storeAnswer(
  connection: Queryable,
  { id, expected }: Pick<AnsweredInteraction, "id" | "expected">,
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
