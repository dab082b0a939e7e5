import { createEvent, errorTexts, type Routing } from "@parley/contracts";
import type { Session } from "@parley/database";
import { z } from "zod";
import { requireMayMessage } from "../../access/may-message.js";
import { directAttachmentKey, folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import { eventOf, type Kind, type MessagePath, requireAuthor } from "../core/kind.js";
import { removeDmMessage } from "./message-repository.js";
import {
  type DirectAudience,
  type FoundDirectMessage,
  requireDirectMessage,
  requireParticipants,
} from "./participants-repository.js";

const params = z.object({ id: identifier });
const path: MessagePath<FoundDirectMessage> = {
  path: "/dm-messages/:id",
  params,
  missing: [errorTexts.message_not_found],
  find: (connection, userId, { id }: { id: string }) => requireDirectMessage(connection, id, userId),
};

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

/** Makes something for each of those in the channel of a message, such as an event. */
export function forEverybody<T>(
  { row, audience }: FoundDirectMessage,
  make: (user: { user_id: string }, routing: Routing) => T,
): T[] {
  const routing = directRouting(audience, row.channel_id);
  return audience.participants.map((user_id) => make({ user_id }, routing));
}

/** Direct messages, those in groups included. */
export const directKind: Kind<FoundDirectMessage> = {
  name: "direct",
  channel: {
    path: "/dm-channels/:id",
    params,
    missing: errorTexts.dm_channel_not_found,
    async find(connection, userId, { id: channelId }: { id: string }) {
      await requireParticipants(connection, channelId, userId);
      return { channelId };
    },
  },
  paths: { messages: path, attachments: path, reactions: path },
  hidden: [],
  orderOf: ({ channel_id }) => ({ dm_channel_id: channel_id }),
  eventsOf: (found, name, payload) =>
    forEverybody(found, (user, routing) => createEvent(eventOf(directKind, name), user, payload, routing)),
  requireMayWrite: (connection, userId, { audience }) => requireMayWrite(connection, userId, audience),
  recheck: (session, userId, { row }) => requireDirectMessage(session, row.id, userId),
  deleting: {
    causes: ["DM_MESSAGE_DELETE"],
    forbidden: [errorTexts.delete_author_only],
    requireMay: (found, userId) => requireAuthor(found, userId, errorTexts.delete_author_only),
    async remove({ transaction, found, announce }) {
      const { id, channel_id } = found.row;
      const files = await removeDmMessage(transaction, id);
      announce("MESSAGE_DELETE", { id, channel_id });
      return files.map(directAttachmentKey);
    },
  },
  reacting: {
    forbidden: [errorTexts.cannot_message_user],
    requireMay: () => undefined,
    emojis: (userId) => ({ member: userId }),
  },
  attaching: {
    folder: folders.directAttachments,
    forbidden: [errorTexts.cannot_message_user],
    requireMay: () => undefined,
  },
};
