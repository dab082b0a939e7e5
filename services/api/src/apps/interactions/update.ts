import type { FileUrls } from "@parley/auth";
import { errorTexts, type InteractionMessage, invalidInput, isBlank, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { findEphemeralMessage, type InteractionRow } from "@parley/interactions";
import { appKeys, requireSmallParts } from "../../conversations/messages/embeds.js";
import { findMessage } from "../../conversations/messages/repository.js";
import type { UpdateData } from "./schema.js";

/**
 * Looks for the message that an update replaces: of the channel, or the invoker's alone.
 *
 * @throws ServiceError 404 when it is gone
 */
export async function findReplaced(
  connection: Queryable,
  { pressed_id: messageId, user_id: userId, channel_id: channelId }: InteractionRow,
): Promise<{ messageId: string; ephemeral: InteractionMessage | null }> {
  if (messageId === null) throw notFound(errorTexts.message_not_found);
  if ((await findMessage(connection, messageId)) !== null) return { messageId, ephemeral: null };
  const ephemeral = await findEphemeralMessage(connection, { messageId, userId, channelId });
  if (ephemeral === null) throw notFound(errorTexts.message_not_found);
  return { messageId, ephemeral };
}

/**
 * An ephemeral message after an update; absent parts stay, as in messages of the channel.
 *
 * @throws ServiceError 400 when nothing would be left of it
 */
export function updatedMessage(
  { embeds, components, ...message }: InteractionMessage,
  data: UpdateData,
  urls: FileUrls,
): InteractionMessage {
  const { content = message.content } = data;
  const given = appKeys(data, urls, message.id);
  const parts = {
    embeds: data.embeds === undefined ? embeds : given.embeds,
    components: data.components === undefined ? components : given.components,
  };
  if (isBlank(content) && (parts.embeds ?? parts.components) === undefined) {
    throw invalidInput(errorTexts.message_content_length);
  }
  requireSmallParts(parts, urls);
  return { ...message, content, edited_at: new Date().toISOString(), ...parts };
}
