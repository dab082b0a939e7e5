import { errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { type ChannelItem, requireChannel } from "../../access/may.js";
import { findMessage, type MessageRow } from "./repository.js";

/** A message, with its viewer's access to the channel. */
export type FoundMessage = ChannelItem<MessageRow>;

/** Parameters of a path that has the message below its channel. */
export type ChannelMessageAddress = { channel_id: string; message_id: string };

/**
 * Reads a message that the caller may view, with their permissions in its channel.
 *
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL, 404 for a message that
 * is missing, deleted or of another channel
 */
export async function requireChannelMessage(
  connection: Queryable,
  userId: string,
  { channel_id, message_id }: ChannelMessageAddress,
): Promise<FoundMessage> {
  const access = await requireChannel(connection, channel_id, userId);
  const row = await findMessage(connection, message_id);
  if (row === null || row.deleted || row.channel_id !== channel_id) throw notFound(errorTexts.message_not_found);
  return { ...access, found: row };
}

/** A message below its channel, for a right that a route declares. */
export const channelMessage = {
  missing: [errorTexts.channel_not_found, errorTexts.message_not_found],
  find: requireChannelMessage,
};

/** A message by its id; with the longer path also its channel, where a mismatch is 404 (docs/protocol/requests.md#1.1). */
export type MessageAddress = { id: string; channel_id?: string | undefined };

/**
 * Like {@link requireChannelMessage}, by the message's id alone.
 *
 * @throws ServiceError 404 for a message that is missing, deleted, or of another channel than named, and for
 * non-members; 403 without VIEW_CHANNEL
 */
export async function requireMessage(
  connection: Queryable,
  userId: string,
  { id, channel_id }: MessageAddress,
): Promise<FoundMessage> {
  const row = await findMessage(connection, id);
  if (row === null || row.deleted || (channel_id !== undefined && channel_id !== row.channel_id)) {
    throw notFound(errorTexts.message_not_found);
  }
  return { ...(await requireChannel(connection, row.channel_id, userId, errorTexts.message_not_found)), found: row };
}
