import { errorTexts, notFound, type Routing } from "@parley/contracts";
import type { Session } from "@parley/database";
import { requireMayMessage } from "../../access/may-message.js";
import {
  type DirectAudience,
  type FoundDirectMessage,
  findForParticipant,
  findParticipants,
} from "./participants-repository.js";

/**
 * Everybody in a channel, for one of them.
 *
 * @throws ServiceError 404 for others
 */
export async function requireParticipants(
  connection: Pick<Session, "query">,
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
  connection: Pick<Session, "query">,
  messageId: string,
  userId: string,
): Promise<FoundDirectMessage> {
  const found = await findForParticipant(connection, messageId, userId);
  if (found === null) throw notFound(errorTexts.message_not_found);
  return found;
}

/** How events about a channel are routed: those of a group reach connections with `v=2` only (docs/interface.md#28.2). */
export function directRouting({ isGroup }: DirectAudience, channelId: string): Routing {
  return { order_key: channelId, version: isGroup ? 2 : undefined };
}

/**
 * For what reaches the others as a message does. Groups go on between people who have blocked each other.
 *
 * @throws ServiceError 403 for who may not write to the other of a pair (docs/interface.md#28.3)
 */
export async function requireMayWrite(
  connection: Pick<Session, "query">,
  senderId: string,
  { participants, isGroup }: DirectAudience,
): Promise<void> {
  if (!isGroup) await requireMayMessage(connection, senderId, participants);
}
