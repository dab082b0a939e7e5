import type { CommandChoice, InteractionMessage, Modal } from "@parley/contracts";
import { columnsOf, defineStatement, type Queryable, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import { botStays, invokerStays } from "./conditions.js";
import { firstAnswerSeconds, interactionMinutes } from "./limits.js";

/** The stored part of an answer that is no message of the channel. */
export interface StoredAnswer {
  message?: InteractionMessage;
  modal?: Modal;
  choices?: CommandChoice[];
}

const storedColumns = z.object({
  id: z.string(),
  bot_user_id: z.string(),
  user_id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  type: z.enum(["command", "component", "modal", "autocomplete"]),
  name: z.string(),
  state: z.enum(["pending", "deferred", "answered", "failed"]),
  is_ephemeral: z.boolean(),
  pressed_id: z.string().nullable(),
  message_id: z.string().nullable(),
  answer: z.custom<StoredAnswer>().nullable(),
  /** The first answer, where it is for the invoker alone. */
  original: z.custom<InteractionMessage>().nullable(),
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

const findStatement = defineStatement({
  name: "interactions_find",
  text: `SELECT ${interactionColumns} FROM interactions i WHERE i.id = ANY ($1::uuid[]) AND i.expires_at > now()`,
  row: interactionRow,
});

/** A new interaction. */
export interface NewInteractionRow {
  id: string;
  bot_user_id: string;
  user_id: string;
  server_id: string;
  channel_id: string;
  type: InteractionRow["type"];
  name: string;
  frame: string;
  /** The message of the component that it began with, also through a modal. */
  pressed_id: string | null;
  /** Whether the bot is asked at its URL. */
  by_http: boolean;
}

const insertStatement = defineStatement({
  name: "interaction_insert",
  text: `INSERT INTO interactions (id, bot_user_id, user_id, server_id, channel_id, type, name, frame,
      pressed_id, by_http, bot_session_version, due_at, expires_at)
    SELECT input.*, (SELECT u.session_version FROM users u WHERE u.id = input.bot_user_id), now() + make_interval(secs => ${firstAnswerSeconds}),
      now() + make_interval(mins => ${interactionMinutes})
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "uuid", "uuid", "text", "text", "text", "uuid", "boolean")}
      AS input (id, bot_user_id, user_id, server_id, channel_id, type, name, frame, pressed_id, by_http)`,
});

/** Stores interactions, whose time begins with that. */
export async function insertInteractions(connection: Queryable, rows: readonly NewInteractionRow[]): Promise<void> {
  const ids = columnsOf(rows, "id", "bot_user_id", "user_id", "server_id", "channel_id");
  await connection.execute(insertStatement, [
    ...ids,
    ...columnsOf(rows, "type", "name", "frame", "pressed_id", "by_http"),
  ]);
}

/** Those interactions whose 15 minutes are not over, each in its place, and null for any other. */
export async function findInteractions(
  connection: Queryable,
  ids: readonly string[],
): Promise<(InteractionRow | null)[]> {
  const rows = new Map((await connection.query(findStatement, [ids])).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
}
