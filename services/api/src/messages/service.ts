import { createEvent, forbidden, type Message, notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import { deleteMessage } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { hasPermission } from "@parley/permissions";
import { requireChannel } from "../access/channel-access.js";
import type { AutomodGate } from "../automod/gate.js";
import { requireEditContext } from "./edit-context.js";
import { editMessage, findMessage, findPage } from "./repository.js";
import { type MessageRow, toMessages } from "./resource.js";
import type { CreateMessage, HistoryQuery } from "./schema.js";
import type { SendMessage } from "./send.js";

/** A message by its id; the longer path names its channel too, and a mismatch is 404 (docs/interface.md#1.1). */
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
  send: SendMessage;
  automod: AutomodGate;
}): MessageService {
  const { database, outbox, send, automod } = options;

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

    create: (userId, channelId, { content, reply_to }) =>
      send({ userId, channelId, content, replyTo: reply_to ?? null }),

    async edit(userId, address, content) {
      const { row } = await requireMessage(userId, address);
      if (row.author_id !== userId) throw forbidden("Only the message author can edit it");
      const { id: messageId, server_id: serverId, channel_id: channelId } = row;
      const context = await requireEditContext(database, { userId, serverId, content });
      const { mentionUserIds, mentionEveryone } = context;
      const guarded = { settings: context.automod, serverId, channelId, userId, content };
      return automod.guardEdit(guarded, (pending) =>
        outbox.transaction([{ server_id: serverId, channel_id: channelId }], async (transaction, emit) => {
          const edited = await editMessage(transaction, { messageId, content, mentionUserIds, mentionEveryone });
          if (edited === null) throw notFound("Message not found");
          const forEverybody = await toOne(transaction, edited, null);
          const target = { server_id: serverId, channel_id: channelId };
          const routing = { poll_id: forEverybody.poll?.id, automod: pending };
          emit(createEvent("MESSAGE_UPDATE", target, forEverybody, routing));
          return edited.has_poll ? toOne(transaction, edited, userId) : forEverybody;
        }),
      );
    },

    async delete(userId, address) {
      const { row, access } = await requireMessage(userId, address);
      if (row.author_id !== userId && !hasPermission(access.permissions, "MANAGE_MESSAGES")) {
        throw forbidden("You cannot delete this message");
      }
      await outbox.transaction([row], async (transaction, emit) => {
        if (!(await deleteMessage(transaction, emit, row.id))) throw notFound("Message not found");
      });
    },
  };
}

async function toOne(connection: Parameters<typeof toMessages>[0], row: MessageRow, viewerId: string | null) {
  const [message] = await toMessages(connection, [row], viewerId);
  if (message === undefined) throw new Error("A message was lost on its way out");
  return message;
}
