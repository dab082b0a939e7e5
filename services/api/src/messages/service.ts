import { createEvent, forbidden, type Message, notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { hasPermission } from "@parley/permissions";
import { requireChannel } from "../access/channel-access.js";
import { requireEditContext } from "./edit-context.js";
import { deleteMessage, editMessage, findMessage, findPage } from "./repository.js";
import { type MessageRow, toMessages } from "./resource.js";
import type { CreateMessage, HistoryQuery } from "./schema.js";
import { requireSendContext } from "./send-context.js";
import type { MessageWriter } from "./writer.js";

/** A message by its id; the longer path names its channel too, and a mismatch is 404 (contract.md 1.1). */
export interface MessageAddress {
  id: string;
  channel_id?: string | undefined;
}

export interface MessageService {
  /** A page of a channel's history, newest first. */
  list(userId: string, channelId: string, page: HistoryQuery): Promise<Message[]>;
  /** One message, also a deleted one (blanked) or a thread reply. */
  get(userId: string, channelId: string, messageId: string): Promise<Message>;
  create(userId: string, channelId: string, input: CreateMessage): Promise<Message>;
  edit(userId: string, address: MessageAddress, content: string): Promise<Message>;
  delete(userId: string, address: MessageAddress): Promise<void>;
}

export function createMessageService(options: {
  database: Database;
  outbox: Outbox;
  writer: MessageWriter;
}): MessageService {
  const { database, outbox, writer } = options;

  const requireMessage = async (userId: string, { id, channel_id }: MessageAddress) => {
    const row = await findMessage(database, id);
    if (row === null || row.deleted || (channel_id !== undefined && channel_id !== row.channel_id)) {
      throw notFound("Message not found");
    }
    const access = await requireChannel(database, row.channel_id, userId, "Message not found");
    return { row, access };
  };

  return {
    async list(userId, channelId, { before, limit }) {
      await requireChannel(database, channelId, userId);
      return toMessages(database, await findPage(database, { channelId, before, limit }), userId);
    },

    async get(userId, channelId, messageId) {
      await requireChannel(database, channelId, userId);
      const row = await findMessage(database, messageId);
      if (row === null || row.channel_id !== channelId) throw notFound("Message not found");
      return toOne(database, row, userId);
    },

    async create(userId, channelId, { content, reply_to }) {
      const replyTo = reply_to ?? null;
      const context = await requireSendContext(database, { userId, channelId, content, replyTo });
      if (replyTo !== null && !context.replyTargetExists) throw notFound("Reply target message not found");
      const { message, event } = await writer.insert({
        serverId: context.serverId,
        channelId,
        authorId: userId,
        content,
        replyTo,
        threadId: null,
        mentionUserIds: context.mentionUserIds,
        mentionEveryone: context.mentionEveryone,
      });
      await outbox.publish([event]);
      return message;
    },

    async edit(userId, address, content) {
      const { row } = await requireMessage(userId, address);
      if (row.author_id !== userId) throw forbidden("Only the message author can edit it");
      const { mentionUserIds, mentionEveryone } = await requireEditContext(database, {
        userId,
        serverId: row.server_id,
        content,
      });
      return outbox.transaction(async (transaction, emit) => {
        const edited = await editMessage(transaction, { messageId: row.id, content, mentionUserIds, mentionEveryone });
        if (edited === null) throw notFound("Message not found");
        const forEverybody = await toOne(transaction, edited, null);
        const target = { server_id: edited.server_id, channel_id: edited.channel_id };
        const routing = forEverybody.poll === null ? {} : { poll_id: forEverybody.poll.id };
        emit(createEvent("MESSAGE_UPDATE", target, forEverybody, routing));
        return edited.has_poll ? toOne(transaction, edited, userId) : forEverybody;
      });
    },

    async delete(userId, address) {
      const { row, access } = await requireMessage(userId, address);
      if (row.author_id !== userId && !hasPermission(access.permissions, "MANAGE_MESSAGES")) {
        throw forbidden("You cannot delete this message");
      }
      await outbox.transaction(async (transaction, emit) => {
        if (!(await deleteMessage(transaction, row.id))) throw notFound("Message not found");
        const { id, channel_id, server_id } = row;
        emit(createEvent("MESSAGE_DELETE", { server_id, channel_id }, { id, channel_id }));
      });
    },
  };
}

async function toOne(connection: Parameters<typeof toMessages>[0], row: MessageRow, viewerId: string | null) {
  const [message] = await toMessages(connection, [row], viewerId);
  if (message === undefined) throw new Error("A message was lost on its way out");
  return message;
}
