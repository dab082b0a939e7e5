import type { Identity } from "@parley/auth";
import { createEvent, DetailedMessage, errorTexts, forbidden, invalidInput, isBlank, Message } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { deleteMessages } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireChannel } from "../../access/channel-access.js";
import { requireWriting, writingErrors } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { requireAuthor } from "../core/kind.js";
import type { MessageKind } from "../core/service.js";
import { followEdit } from "../message-previews/after-edit.js";
import { requireEditContext } from "./author.js";
import type { MessageDetails } from "./details.js";
import { type AppParts, appTexts, hasAppParts, keptPartsBytesMax, requireSmallParts, storedParts } from "./embeds.js";
import type { ReadHistory } from "./history.js";
import { editMessage, findMessage, type MessageRow } from "./repository.js";
import { type MessageAddress, requireMessage } from "./require-message.js";
import { toOneMessage } from "./resource.js";
import { appForbidden, appRejections, describedUpdateBody, type UpdateMessage, updateMessageBody } from "./schema.js";

type Editor = Pick<Identity, "userId" | "kind">;
type InSameTransaction = (transaction: Transaction) => Promise<void>;

export interface MessageService extends MessageKind<MessageRow, DetailedMessage, Message, UpdateMessage> {
  /**
   * @param alongside what is stored in the same transaction, which its error undoes; the transaction may run several times
   */
  edit(
    editor: Editor,
    address: MessageAddress,
    changes: UpdateMessage,
    alongside?: InSameTransaction,
  ): Promise<Message>;
  /** Deletes those of the messages that the channel has. @returns their number */
  deleteMany(userId: string, channelId: string, ids: readonly string[]): Promise<number>;
}

export function createMessageService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  automod: AutomodGate;
  details: MessageDetails;
  readHistory: ReadHistory;
  urls: FileUrls;
}): MessageService {
  const { database, outbox, automod, details, readHistory, urls } = options;

  const edit: MessageService["edit"] = async (editor, address, changes, alongside) => {
    const { userId } = editor;
    const found = await requireMessage(database, userId, address);
    requireAuthor(found, userId, errorTexts.edit_author_only);
    const { row, access } = found;
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
    listed: DetailedMessage,
    findMessage,
    details,
    history: {
      confirmsSession: true,
      read: (reader, { channel_id }: { channel_id: string }, query) => readHistory(reader, channel_id, query),
    },
    editing: {
      causes: ["MESSAGE_UPDATE", "MESSAGE_PREVIEWS"],
      body: updateMessageBody,
      describedBody: describedUpdateBody,
      edited: Message,
      invalid: [errorTexts.message_content_length, ...appRejections],
      forbidden: [
        ...appForbidden,
        errorTexts.timed_out,
        ...writingErrors,
        errorTexts.word_filtered,
        errorTexts.message_blocked_by_rule,
      ],
      edit: (editor, address: MessageAddress, changes) => edit(editor, address, changes),
    },
    edit,

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
