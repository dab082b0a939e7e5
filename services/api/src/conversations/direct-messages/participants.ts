import { errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import type { DirectAudience } from "./audience.js";
import { type FoundDirectMessage, findForParticipant, findParticipants } from "./participants-repository.js";

/**
 * Everybody in a channel, for one of them.
 *
 * @throws ServiceError 404 for others
 */
export async function requireParticipants(
  connection: Queryable,
  channelId: string,
  userId: string,
): Promise<DirectAudience> {
  const found = await findParticipants(connection, channelId, userId);
  if (found === null) throw notFound(errorTexts.dm_channel_not_found);
  return found;
}

/**
 * A direct message for one who is in its channel.
 *
 * @throws ServiceError 404 for others, and for a message that is gone
 */
export async function requireDirectMessage(
  connection: Queryable,
  messageId: string,
  userId: string,
): Promise<FoundDirectMessage> {
  const found = await findForParticipant(connection, messageId, userId);
  if (found === null) throw notFound(errorTexts.message_not_found);
  return found;
}
