import { errorTexts, invalidInput } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { hasPermission } from "@parley/permissions";
import { findChannelAccess } from "../../access/repository.js";

/**
 * An event may name a voice channel of its server that the caller may view.
 *
 * @throws ServiceError 400 for any other id, so that nobody learns which hidden channels there are
 */
export async function requireVoiceOfEvent(
  connection: Queryable,
  { voiceChannelId, channelId, userId }: { voiceChannelId: string; channelId: string; userId: string },
): Promise<void> {
  const [voice, place] = [
    await findChannelAccess(connection, voiceChannelId, userId),
    await findChannelAccess(connection, channelId, userId),
  ];
  const isFit =
    voice?.channel.type === "voice" &&
    voice.serverId === place?.serverId &&
    hasPermission(voice.permissions, "VIEW_CHANNEL");
  if (!isFit) throw invalidInput(errorTexts.event_voice_channel_invalid);
}
