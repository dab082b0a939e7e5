import { createEvent, forbidden, type Message, notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import { deleteMessage } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { hasPermission } from "@parley/permissions";
import { requireChannel } from "../access/channel-access.js";
import type { AutomodGate } from "../automod/gate.js";
import { requireEditContext } from "./edit-context.js";
import { messageErrors } from "./error-texts.js";
import { editMessage, findMessage, findPage } from "./repository.js";
import { type MessageAddress, requireMessage } from "./require-message.js";
import { toMessages, toOneMessage } from "./resource.js";
import type { HistoryQuery } from "./schema.js";

export interface MessageService {
  /** A page of a channel's history, newest first. */
  list(userId: string, channelId: string, page: HistoryQuery): Promise<Message[]>;
  /** One message, also a deleted one (blanked) or a thread reply. */
  get(userId: string, channelId: string, messageId: string): Promise<Message>;
  edit(userId: string, address: MessageAddress, content: string): Promise<Message>;
  delete(userId: string, address: MessageAddress): Promise<void>;
}

export function createMessageService(options: {
  database: Database;
  outbox: Outbox;
  automod: AutomodGate;
}): MessageService {
  const { database, outbox, automod } = options;

  return {
    async list(userId, channelId, page) {
      await requireChannel(database, channelId, userId);
      return toMessages(database, await findPage(database, { channelId, ...page }), userId);
    },

    async get(userId, channelId, messageId) {
      await requireChannel(database, channelId, userId);
      const row = await findMessage(database, messageId);
      if (row === null || row.channel_id !== channelId) throw notFound(messageErrors.notFound);
      return toOneMessage(database, row, userId);
    },

    async edit(userId, address, content) {
      const { row } = await requireMessage(database, userId, address);
      if (row.author_id !== userId) throw forbidden(messageErrors.editAuthorOnly);
      const { id: messageId, server_id, channel_id } = row;
      const context = await requireEditContext(database, { userId, serverId: server_id, content });
      const text = { server_id, channel_id, user_id: userId, content, texts: [content] };
      const pending = await automod.checkEdit(context.automod, text);
      return outbox.transaction([row], async (transaction, emit) => {
        const { mentionUserIds, mentionEveryone } = context;
        const edited = await editMessage(transaction, { messageId, content, mentionUserIds, mentionEveryone });
        if (edited === null) throw notFound(messageErrors.notFound);
        const forEverybody = await toOneMessage(transaction, edited, null);
        const routing = { poll_id: forEverybody.poll?.id, automod: pending };
        emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, forEverybody, routing));
        return edited.has_poll ? toOneMessage(transaction, edited, userId) : forEverybody;
      });
    },

    async delete(userId, address) {
      const { row, access } = await requireMessage(database, userId, address);
      if (row.author_id !== userId && !hasPermission(access.permissions, "MANAGE_MESSAGES")) {
        throw forbidden(messageErrors.cannotDelete);
      }
      await outbox.transaction([row], async (transaction, emit) => {
        if (!(await deleteMessage(transaction, emit, row.id))) throw notFound(messageErrors.notFound);
      });
    },
  };
}
