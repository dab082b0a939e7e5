import { defineStatement, isDirectParticipant, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { whichAreViewable } from "../../access/repository.js";
import { type DmMessageRow, dmMessageColumns, dmMessageRow } from "../direct-messages/resource.js";
import { findMessages, type MessageRow } from "../messages/repository.js";

const directStatement = defineStatement({
  name: "any_message_direct",
  text: `SELECT ${dmMessageColumns} FROM dm_messages m JOIN dm_channels d ON d.id = m.channel_id
    WHERE m.id = ANY ($1::uuid[]) AND ${isDirectParticipant("d", "$2::uuid")}`,
  row: dmMessageRow,
});

/** The messages of both kinds with these ids that a user may read now, in no order; deleted ones are left out. */
export async function findReadable(
  connection: Queryable,
  ids: readonly string[],
  userId: string,
): Promise<{ channel: MessageRow[]; direct: DmMessageRow[] }> {
  const channel = await findMessages(connection, ids);
  const found = new Set(channel.map(({ id }) => id));
  const rest = ids.filter((id) => !found.has(id));
  const direct = rest.length === 0 ? [] : await connection.query(directStatement, [rest, userId]);
  const channelIds = [...new Set(channel.map(({ channel_id }) => channel_id))];
  const viewable = await whichAreViewable(connection, channelIds, userId);
  return { channel: channel.filter(({ channel_id }) => viewable.has(channel_id)), direct };
}

const directChannelStatement = defineStatement({
  name: "any_channel_direct",
  text: `SELECT d.id FROM dm_channels d WHERE d.id = ANY ($1::uuid[]) AND ${isDirectParticipant("d", "$2::uuid")}`,
  row: ({ id }: RawRow) => String(id),
});

/** Those of the channels, of servers and of direct messages, that a user may read now. */
export async function whichAreReadable(
  connection: Queryable,
  channelIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const ids = [...new Set(channelIds)];
  const viewable = await whichAreViewable(connection, ids, userId);
  const rest = ids.filter((id) => !viewable.has(id));
  if (rest.length === 0) return viewable;
  return new Set([...viewable, ...(await connection.query(directChannelStatement, [rest, userId]))]);
}
