import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement, directParticipants, isDirectParticipant, type Session } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { type DmMessageRow, dmMessageColumns, dmMessageRow, type GroupRow, groupRow } from "./resource.js";

/** The participants of a channel of direct messages. */
export interface DirectAudience {
  readonly participants: readonly string[];
  readonly isGroup: boolean;
}

/** Columns of a {@link DirectAudience} of a channel `d`. */
export const audienceColumns = `(${directParticipants("d")})::text[] AS participants, d.user_low IS NULL AS is_group`;
/** Row shape of {@link audienceColumns}. */
export const audienceRow = z.object({ participants: z.array(z.string()), is_group: z.boolean() });

/** @returns the audience in the columns of a row */
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

/**
 * Everybody in a channel, for one of them.
 *
 * @param missing text of the 404, for resources inside a channel
 * @throws ServiceError 404 for others
 */
export async function requireParticipants(
  connection: Pick<Session, "query">,
  channelId: string,
  userId: string,
  missing: string = errorTexts.dm_channel_not_found,
): Promise<DirectAudience> {
  const [row] = await connection.query(channelStatement, [channelId, userId]);
  if (row === undefined) throw notFound(missing);
  return toAudience(row);
}

/** A direct message that a user may read, and the participants of its channel. */
export interface FoundDirectMessage extends DirectAudience {
  userId: string;
  found: DmMessageRow;
}

/**
 * A direct message for a participant of its channel.
 *
 * @throws ServiceError 404 for others, and for a message that is gone
 */
export async function requireDirectMessage(
  connection: Pick<Session, "query">,
  messageId: string,
  userId: string,
): Promise<FoundDirectMessage> {
  const [found] = await connection.query(messageStatement, [messageId, userId]);
  if (found === undefined) throw notFound(errorTexts.message_not_found);
  const { participants, is_group, ...row } = found;
  return { ...toAudience({ participants, is_group }), userId, found: row };
}

/** Columns of a group `d` beside those in it. */
export const groupColumns = "d.id, d.name, d.icon_url, d.created_at, d.last_message_at";

const findStatement = defineStatement({
  name: "dm_group_find",
  text: `SELECT ${groupColumns}, (${directParticipants("d")})::text[] AS members
    FROM dm_channels d WHERE d.id = ANY ($1::uuid[]) AND d.user_low IS NULL`,
  row: groupRow,
});

/** Those of the channels that are groups, in no order. */
export function findGroups(connection: Queryable, ids: readonly string[]): Promise<GroupRow[]> {
  return connection.query(findStatement, [[...ids]]);
}
