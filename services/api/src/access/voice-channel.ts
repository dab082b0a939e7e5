import { errorTexts, invalidInput } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { requireChannel } from "./channel-access.js";
import type { ChannelAccess } from "./repository.js";

/**
 * Reads a voice channel that the caller may view.
 *
 * @throws ServiceError 404 and 403 as requireChannel, 400 for a text channel
 */
export async function requireVoiceChannel(
  connection: Queryable,
  channelId: string,
  userId: string,
): Promise<ChannelAccess> {
  const access = await requireChannel(connection, channelId, userId);
  if (access.channel.type !== "voice") throw invalidInput(errorTexts.not_voice_channel);
  return access;
}
