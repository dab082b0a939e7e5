import { createEvent, errorTexts, type Routing } from "@parley/contracts";
import type { Session } from "@parley/database";
import { z } from "zod";
import type { CallerRight } from "../../access/asked.js";
import { requireMayMessage } from "../../access/may-message.js";
import { author, declare } from "../../access/needs.js";
import { directAttachmentKey, folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import type { May } from "../../platform/http/may.js";
import { eventOf, type Kind, type MessagePath, type ReadChannel } from "../core/kind.js";
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

/** How events about a channel are routed: those of a group reach connections with `v=2` only (docs/protocol/conversations.md#28.2). */
export function directRouting({ isGroup }: DirectAudience, channelId: string): Routing {
  return { order_key: channelId, version: isGroup ? 2 : undefined };
}

/**
 * Checks actions that reach the others as a message does. Groups go on between people who have blocked each other.
 *
 * @throws ServiceError 403 for a sender who may not write to the other of a pair (docs/protocol/conversations.md#28.3)
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
  message: FoundDirectMessage,
  make: (user: { user_id: string }, routing: Routing) => T,
): T[] {
  const routing = directRouting(message, message.found.channel_id);
  return message.participants.map((user_id) => make({ user_id }, routing));
}

/** The right to read a channel of direct messages. */
export const mayReadDirect: May<{ id: string }, Pick<CallerRight<ReadChannel>, "access">> = {
  ...declare("conversation", [], [errorTexts.dm_channel_not_found]),
  ask: ({ database }, { userId, params }) => ({
    async access(connection = database) {
      await requireParticipants(connection, params.id, userId);
      return { userId, channel: params };
    },
  }),
};

/** Direct messages, those in groups included. */
export const directKind: Kind<FoundDirectMessage> = {
  name: "direct",
  place: "conversation",
  channel: {
    path: "/dm-channels/:id",
    params,
    may: mayReadDirect,
  },
  paths: { messages: path, attachments: path, reactions: path },
  reading: [],
  writing: {
    refusals: [errorTexts.cannot_message_user],
    require: (connection, message) => requireMayWrite(connection, message.userId, message),
  },
  orderOf: ({ channel_id }) => ({ dm_channel_id: channel_id }),
  eventsOf: (message, name, payload) =>
    forEverybody(message, (user, routing) => createEvent(eventOf(directKind, name), user, payload, routing)),
  recheck: (session, { userId, found }) => requireDirectMessage(session, found.id, userId),
  deleting: {
    causes: ["DM_MESSAGE_DELETE"],
    need: author(errorTexts.delete_author_only),
    async remove({ transaction, access, announce }) {
      const { id, channel_id } = access.found;
      const files = await removeDmMessage(transaction, id);
      announce("MESSAGE_DELETE", { id, channel_id });
      return files.map(directAttachmentKey);
    },
  },
  reacting: { needs: [], emojis: ({ userId }) => ({ member: userId }) },
  attaching: { folder: folders.directAttachments, needs: [], refusals: [] },
};
