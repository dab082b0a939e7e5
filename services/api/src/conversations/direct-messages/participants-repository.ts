import { defineStatement, directParticipants, isDirectParticipant } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { type DmMessageRow, dmMessageColumns, dmMessageRow } from "./resource.js";

/** Who is in a channel of direct messages. */
export interface DirectAudience {
  readonly participants: readonly string[];
  readonly isGroup: boolean;
}

/** Columns of a {@link DirectAudience} of a channel `d`. */
export const audienceColumns = `(${directParticipants("d")})::text[] AS participants, d.user_low IS NULL AS is_group`;
/** Row shape of {@link audienceColumns}. */
export const audienceRow = z.object({ participants: z.array(z.string()), is_group: z.boolean() });

/** @returns what the columns of a row say */
export const toAudience = ({ participants, is_group }: z.infer<typeof audienceRow>): DirectAudience => ({
  participants,
  isGroup: is_group,
});

const channelStatement = defineStatement({
  name: "dm_channel_participants",
  text: `SELECT ${audienceColumns} FROM dm_channels d WHERE d.id = $1 AND ${isDirectParticipant("d", "$2")}`,
  row: audienceRow,
});

const messageStatement = defineStatement({
  name: "dm_message_participants",
  text: `SELECT ${dmMessageColumns}, ${audienceColumns}
    FROM dm_messages m JOIN dm_channels d ON d.id = m.channel_id
    WHERE m.id = $1 AND ${isDirectParticipant("d", "$2")}`,
  row: dmMessageRow.extend(audienceRow.shape),
});

/** @returns everybody in a channel; null when there is no such channel or the user is not in it */
export async function findParticipants(
  connection: Pick<Queryable, "query">,
  channelId: string,
  userId: string,
): Promise<DirectAudience | null> {
  const [row] = await connection.query(channelStatement, [channelId, userId]);
  return row === undefined ? null : toAudience(row);
}

/** A direct message, and who is in its channel. */
export interface FoundDirectMessage {
  row: DmMessageRow;
  audience: DirectAudience;
}

/** @returns a direct message; null when there is none or the user is not in its channel */
export async function findForParticipant(
  connection: Pick<Queryable, "query">,
  messageId: string,
  userId: string,
): Promise<FoundDirectMessage | null> {
  const [found] = await connection.query(messageStatement, [messageId, userId]);
  if (found === undefined) return null;
  const { participants, is_group, ...row } = found;
  return { row, audience: toAudience({ participants, is_group }) };
}
