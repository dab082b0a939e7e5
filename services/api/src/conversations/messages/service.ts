import type { Identity } from "@parley/auth";
import {
  createEvent,
  type DetailedMessage,
  errorTexts,
  forbidden,
  invalidInput,
  isBlank,
  type Message,
  notFound,
} from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { deleteMessage, deleteMessages } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireChannel } from "../../access/channel-access.js";
import type { ChannelAccess } from "../../access/repository.js";
import { requireWriting } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { followEdit } from "../message-previews/after-edit.js";
import { requireEditContext } from "./author.js";
import type { MessageDetails } from "./details.js";
import { type AppParts, appTexts, hasAppParts, keptPartsBytesMax, requireSmallParts, storedParts } from "./embeds.js";
import { editMessage, findMessage, type MessageRow } from "./repository.js";
import { type ChannelMessageAddress, type MessageAddress, requireMessage } from "./require-message.js";
import { toOneMessage } from "./resource.js";
import type { Include, UpdateMessage } from "./schema.js";

type Editor = Pick<Identity, "userId" | "kind">;
type InSameTransaction = (transaction: Transaction) => Promise<void>;

export interface MessageService {
  /** One message, also a deleted one (blanked) or a thread reply. */
  get(userId: string, address: ChannelMessageAddress, include: Include): Promise<DetailedMessage>;
  /**
   * @param alongside what is stored in the same transaction, which its error undoes; the transaction may run several times
   */
  edit(
    editor: Editor,
    address: MessageAddress,
    changes: UpdateMessage,
    alongside?: InSameTransaction,
  ): Promise<Message>;
  delete(userId: string, address: MessageAddress): Promise<void>;
  /** Deletes those of the messages that the channel has. @returns their number */
  deleteMany(userId: string, channelId: string, ids: readonly string[]): Promise<number>;
}

export function createMessageService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  automod: AutomodGate;
  details: MessageDetails;
  urls: FileUrls;
}): MessageService {
  const { database, outbox, automod, details, urls } = options;

  const edit: MessageService["edit"] = async (editor, address, changes, alongside) => {
    const { userId } = editor;
    const { row, access } = await requireMessage(database, userId, address);
    if (row.author_id !== userId) throw forbidden(errorTexts.edit_author_only);
    if (editor.kind !== "bot" && hasAppParts(changes)) throw forbidden(errorTexts.only_bots_embed);
    const { content, parts } = editedOf(row, changes);
    requireSmallParts(parts, urls, hasAppParts(changes) ? undefined : keptPartsBytesMax);
    const { id: messageId, server_id, channel_id } = row;
    const { rights } = access;
    const context = await requireEditContext(database, { userId, serverId: server_id, rights, content });
    requireWriting(access);
    const { automod: settings, automodRules, authorVersion, ...mentions } = context;
    const text = { server_id, channel_id, user_id: userId, content, texts: [content, ...appTexts(parts)] };
    const facts = { ...mentions, mimeTypes: [], files: 0 };
    const checked = await automod.checkEdit({ automod: settings, automodRules }, text, facts);
    const message = await outbox.transaction([row], async (transaction, emit) => {
      const edited = await editMessage(transaction, {
        messageId,
        editorId: userId,
        authorVersion,
        text: { content, ...mentions },
        parts: changedParts(changes, parts),
      });
      if (edited === null) return null;
      await alongside?.(transaction);
      const forEverybody = await toOneMessage(transaction, edited.row, { viewerId: null, urls });
      const payload = { ...forEverybody, server_id, author: edited.author };
      const routing = { poll_id: forEverybody.poll?.id, automod: checked.pending };
      emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, payload, routing));
      if (payload.poll === null && payload.event === null) await followEdit(transaction, emit, edited.row);
      return edited.row.has_poll ? toOneMessage(transaction, edited.row, { viewerId: userId, urls }) : forEverybody;
    });
    // The message was deleted, or its author's version has changed: starts over, with new checks.
    if (message === null) return edit(editor, address, changes, alongside);
    return (await automod.afterStored(checked, messageId)) ? { ...message, deleted: true } : message;
  };

  return {
    edit,

    async get(userId, { channel_id, message_id }, include) {
      await requireChannel(database, channel_id, userId);
      const row = await findMessage(database, message_id);
      if (row === null || row.channel_id !== channel_id) throw notFound(errorTexts.message_not_found);
      const [message] = await details([row], { viewerId: userId, include });
      if (message === undefined) throw new Error("A message was lost on its way out");
      return message;
    },

    async delete(userId, address) {
      const { row, access } = await requireMessage(database, userId, address);
      requireMayDelete(row, access);
      await outbox.transaction([row], async (transaction, emit) => {
        // Repeated under the lock of the ordering key, as the right may have been lost while waiting for it.
        requireMayDelete(row, await requireChannel(transaction, row.channel_id, userId, errorTexts.message_not_found));
        if (!(await deleteMessage(transaction, emit, row.id))) throw notFound(errorTexts.message_not_found);
      });
    },

    async deleteMany(userId, channelId, ids) {
      const requireRight = async (connection: Queryable) => {
        const access = await requireChannel(connection, channelId, userId);
        requirePermission(access, "MANAGE_MESSAGES", errorTexts.missing_permission);
        return access;
      };
      const { serverId } = await requireRight(database);
      return outbox.transaction([{ server_id: serverId, channel_id: channelId }], async (transaction, emit) => {
        // Repeated under the lock of the ordering key, as above.
        await requireRight(transaction);
        const count = await deleteMessages(transaction, emit, { serverId, channelId, ids });
        const action = "message_bulk_delete";
        const entry = { serverId, actorId: userId, action, targetId: channelId, details: { count } } as const;
        if (count > 0) await appendAudit(transaction, entry);
        return count;
      });
    },
  };
}

/** @throws ServiceError 403 for the message of another without MANAGE_MESSAGES */
function requireMayDelete({ author_id }: MessageRow, access: ChannelAccess): void {
  if (author_id !== access.userId) requirePermission(access, "MANAGE_MESSAGES", errorTexts.cannot_delete_message);
}

/**
 * What a message says after an edit; what is not given stays (docs/interface.md#25.4).
 *
 * @throws ServiceError 400 when nothing would be left of a message that had text, embeds or components
 */
function editedOf(row: MessageRow, changes: UpdateMessage): { content: string; parts: AppParts } {
  const { content = row.content, embeds = row.embeds, components = row.components } = changes;
  const parts = { embeds, components };
  const hadNothing = isBlank(row.content) && !hasAppParts(row);
  if (isBlank(content) && !hasAppParts(parts) && !hadNothing) throw invalidInput(errorTexts.message_content_length);
  return { content, parts };
}

/** Of the embeds, components and their texts, those that are stored anew. */
function changedParts({ embeds, components }: UpdateMessage, parts: AppParts) {
  if (embeds === undefined && components === undefined) return {};
  const stored = storedParts(parts);
  return {
    embed_texts: stored.embed_texts,
    ...(embeds === undefined ? {} : { embeds: stored.embeds }),
    ...(components === undefined ? {} : { components: stored.components }),
  };
}
