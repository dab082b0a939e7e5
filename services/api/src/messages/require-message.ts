import { notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database";
import { type ChannelAccess, requireChannel } from "../access/channel-access.js";
import { messageErrors } from "./error-texts.js";
import { findMessage } from "./repository.js";
import type { MessageRow } from "./resource.js";

/** A message below its channel's path. */
export interface ChannelMessageAddress {
  channel_id: string;
  message_id: string;
}

/**
 * Reads a message that the caller may view, with what they may do in its channel.
 *
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL, 404 for a message that
 * is missing, deleted or of another channel
 */
export async function requireChannelMessage(
  connection: Queryable,
  userId: string,
  { channel_id, message_id }: ChannelMessageAddress,
): Promise<{ row: MessageRow; access: ChannelAccess }> {
  const access = await requireChannel(connection, channel_id, userId);
  const row = await findMessage(connection, message_id);
  if (row === null || row.deleted || row.channel_id !== channel_id) throw notFound(messageErrors.notFound);
  return { row, access };
}
