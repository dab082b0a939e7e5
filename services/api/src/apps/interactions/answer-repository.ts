import type { CommandChoice, InteractionMessage, Modal } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import {
  type AnsweredInteraction,
  botStays,
  invokerStays,
  isAnswerable,
  toBeAnnounced,
} from "../../conversations/interaction-states/repository.js";

/** What is stored of an answer that is no message of the channel. */
export interface StoredAnswer {
  message?: InteractionMessage;
  modal?: Modal;
  choices?: CommandChoice[];
}

/** An answer to be stored. */
export interface NewAnswer {
  state: "deferred" | "answered";
  stored: StoredAnswer | null;
  isEphemeral: boolean;
  /** The message of the channel that it replaces. */
  messageId?: string;
}

const states = ["pending", "deferred", "answered", "failed"] as const;

const storedColumns = z.object({
  id: z.string(),
  bot_user_id: z.string(),
  user_id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  type: z.enum(["command", "component", "modal", "autocomplete"]),
  name: z.string(),
  state: z.enum(states),
  is_ephemeral: z.boolean(),
  pressed_id: z.string().nullable(),
  message_id: z.string().nullable(),
  answer: z.custom<StoredAnswer>().nullable(),
});

/** An interaction as answers and its invoker need it. */
export const interactionRow = storedColumns.extend({ invoker_stays: z.boolean(), bot_stays: z.boolean() });
export type InteractionRow = z.infer<typeof interactionRow>;

/** The columns of {@link interactionRow}, in a statement where the table has the alias `i`. */
export const interactionColumns = [
  ...Object.keys(storedColumns.shape).map((column) => `i.${column}`),
  `${invokerStays} AS invoker_stays`,
  `${botStays} AS bot_stays`,
].join(", ");

/**
 * $3: the new state, $4: what is stored of the answer, $5: whether the answer to come is for the invoker alone, $6: the message of
 * the channel that is replaced.
 */
const answerStatement = defineStatement({
  name: "interaction_answer",
  text: `UPDATE interactions i
    SET state = $3, answer = $4::jsonb, message_id = $6, frame = NULL, is_ephemeral = $5,
      due_at = CASE WHEN $3 = 'deferred' THEN i.expires_at END, ${toBeAnnounced}
    WHERE i.id = $1 AND i.state = $2 AND ${isAnswerable}
    RETURNING ${interactionColumns}`,
  row: interactionRow,
});

const findStatement = defineStatement({
  name: "interactions_find",
  text: `SELECT ${interactionColumns} FROM interactions i WHERE i.id = ANY ($1::uuid[]) AND i.expires_at > now()`,
  row: interactionRow,
});

/** The latest interaction is what an update of the message left last. */
const ephemeralStatement = defineStatement({
  name: "interaction_ephemeral",
  text: `SELECT i.answer -> 'message' AS message FROM interactions i
    WHERE i.answer -> 'message' ->> 'id' = $1::uuid::text AND i.user_id = $2 AND i.channel_id = $3 AND i.expires_at > now()
    ORDER BY i.id DESC LIMIT 1`,
  row: z.object({ message: z.custom<InteractionMessage>() }),
});

/**
 * Answers an interaction with what is no new message of the channel.
 *
 * @returns null when it stands otherwise than expected, or takes no answers any more
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

/** A message that somebody alone got in a channel, while an interaction that it is the latest answer to is kept. */
export async function findEphemeralMessage(
  connection: Queryable,
  { messageId, userId, channelId }: { messageId: string; userId: string; channelId: string },
): Promise<InteractionMessage | null> {
  const [row] = await connection.query(ephemeralStatement, [messageId, userId, channelId]);
  return row?.message ?? null;
}

/** Those interactions whose 15 minutes are not over, each in its place, and null for any other. */
export async function findInteractions(
  connection: Queryable,
  ids: readonly string[],
): Promise<(InteractionRow | null)[]> {
  const rows = new Map((await connection.query(findStatement, [ids])).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
}
