import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { type DmMessageRow, dmMessageColumns, dmMessageRow } from "./resource.js";

/** SQL for the ids of those who are in a channel `d`. */
const participantsColumn = "ARRAY[d.user_low, d.user_high]::text[] AS participants";

/**
 * SQL for whether a user is in a channel `d`.
 *
 * @param user expression of the user's id
 */
const isParticipant = (user: string) => `${user} IN (d.user_low, d.user_high)`;

const participants = z.array(z.string());

const channelStatement = defineStatement({
  name: "dm_channel_participants",
  text: `SELECT ${participantsColumn} FROM dm_channels d WHERE d.id = $1 AND ${isParticipant("$2")}`,
  row: z.object({ participants }),
});

const messageStatement = defineStatement({
  name: "dm_message_participants",
  text: `SELECT ${dmMessageColumns}, ${participantsColumn}
    FROM dm_messages m JOIN dm_channels d ON d.id = m.channel_id
    WHERE m.id = $1 AND ${isParticipant("$2")}`,
  row: dmMessageRow.extend({ participants }),
});

/** @returns everybody in a channel; null when there is no such channel or the user is not in it */
export async function findParticipants(
  connection: Queryable,
  channelId: string,
  userId: string,
): Promise<string[] | null> {
  const [row] = await connection.query(channelStatement, [channelId, userId]);
  return row?.participants ?? null;
}

/** A direct message, and who is in its channel. */
export interface FoundDirectMessage {
  row: DmMessageRow;
  participants: readonly string[];
}

/** @returns a direct message; null when there is none or the user is not in its channel */
export async function findForParticipant(
  connection: Queryable,
  messageId: string,
  userId: string,
): Promise<FoundDirectMessage | null> {
  const [found] = await connection.query(messageStatement, [messageId, userId]);
  if (found === undefined) return null;
  const { participants, ...row } = found;
  return { row, participants };
}
