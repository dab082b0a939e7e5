import type { FileUrls, Identity } from "@parley/auth";
import {
  createEvent,
  DetailedMessage,
  errorTexts,
  forbidden,
  inEvent,
  invalidInput,
  isBlank,
  Message,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { deleteMessages } from "@parley/moderation";
import { type InChannel, located, requireChannel } from "../../access/may.js";
import { author, permission } from "../../access/needs.js";
import { requireWriting, writingErrors } from "../../access/safety.js";
import type { May } from "../../platform/http/may.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import type { Kind } from "../core/kind.js";
import { type ToMessage, toMessage } from "../core/may.js";
import type { MessageKind, ReadPage } from "../core/service.js";
import { followEdit } from "../message-previews/after-edit.js";
import { requireEditContext } from "./author.js";
import type { MessageDetails } from "./details.js";
import { type AppParts, appTexts, hasAppParts, keptPartsBytesMax, requireSmallParts, storedParts } from "./embeds.js";
import { editMessage, findMessage, type MessageRow } from "./repository.js";
import type { FoundMessage } from "./require-message.js";
import { toOneMessage } from "./resource.js";
import { appForbidden, appRejections, describedUpdateBody, type UpdateMessage, updateMessageBody } from "./schema.js";

type Editor = Pick<Identity, "kind">;
type InSameTransaction = (transaction: Transaction) => Promise<void>;
/** The right to do something with a message, asked for a caller. */
export type ToChannelMessage = ToMessage<FoundMessage>;

export interface MessageService extends MessageKind<FoundMessage, MessageRow, DetailedMessage, Message, UpdateMessage> {
  /**
   * @param alongside stores more in the same transaction, and its error rolls that back; the transaction may run
   * several times
   */
  edit(may: ToChannelMessage, editor: Editor, changes: UpdateMessage, alongside?: InSameTransaction): Promise<Message>;
}

/** The right to delete many messages of a channel. Its changes do not lock the server. */
export const mayDeleteMany = located({
  missing: [errorTexts.channel_not_found],
  find: async (connection, userId, { channel_id }: { channel_id: string }) => ({
    ...(await requireChannel(connection, channel_id, userId)),
    found: undefined,
  }),
  needs: permission("MANAGE_MESSAGES", errorTexts.missing_permission),
});

/** Deletes those of the messages that the channel has. @returns their number */
export function deleteMany(may: InChannel, ids: readonly string[]): Promise<number> {
  return may.change(async ({ transaction, emit, access, audit }) => {
    const { serverId, channel } = access;
    const count = await deleteMessages(transaction, emit, { serverId, channelId: channel.id, ids });
    if (count > 0) await audit("message_bulk_delete", channel.id, { count });
    return count;
  });
}

export function createMessageService(options: {
  database: Database;
  kind: Kind<FoundMessage>;
  automod: AutomodGate;
  details: MessageDetails;
  mayReadHistory: May<{ channel_id: string }, ReadPage>;
  urls: FileUrls;
}): MessageService {
  const { database, kind, automod, details, mayReadHistory, urls } = options;

  const edit: MessageService["edit"] = async (may, editor, changes, alongside) => {
    const access = await may.access();
    const { userId, rights, found: row } = access;
    if (editor.kind !== "bot" && hasAppParts(changes)) throw forbidden(errorTexts.only_bots_embed);
    const { content, parts } = editedOf(row, changes);
    requireSmallParts(parts, urls, hasAppParts(changes) ? undefined : keptPartsBytesMax);
    const { id: messageId, server_id, channel_id } = row;
    const context = await requireEditContext(database, { userId, serverId: server_id, rights, content });
    requireWriting(access);
    const { automod: settings, automodRules, authorVersion, ...mentions } = context;
    const text = { server_id, channel_id, user_id: userId, content, texts: [content, ...appTexts(parts)] };
    const facts = { ...mentions, mimeTypes: [], files: 0 };
    const checked = await automod.checkEdit({ automod: settings, automodRules }, text, facts);
    const message = await may.change(async ({ transaction, emit }) => {
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
      const payload = inEvent(forEverybody, { server_id, author: edited.author });
      const routing = { poll_id: forEverybody.poll?.id, automod: checked.pending };
      emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, payload, routing));
      if (payload.poll === null && payload.event === null) await followEdit(transaction, emit, edited.row);
      return edited.row.has_poll ? toOneMessage(transaction, edited.row, { viewerId: userId, urls }) : forEverybody;
    });
    // The message was deleted, or its author's version has changed: starts over, with new checks.
    if (message === null) return edit(may, editor, changes, alongside);
    return (await automod.afterStored(checked, messageId)) ? { ...message, deleted: true } : message;
  };

  return {
    listed: DetailedMessage,
    findMessage,
    details,
    history: {
      confirmsSession: true,
      may: mayReadHistory,
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
      may: toMessage(kind, kind.paths.messages, { needs: [author(errorTexts.edit_author_only)] }),
      edit,
    },
    edit,
  };
}

/**
 * The content of a message after an edit; absent parts stay (docs/protocol/apps.md#25.4).
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

/** The embeds, components and their texts that are stored anew. */
function changedParts({ embeds, components }: UpdateMessage, parts: AppParts) {
  if (embeds === undefined && components === undefined) return {};
  const stored = storedParts(parts);
  return {
    embed_texts: stored.embed_texts,
    ...(embeds === undefined ? {} : { embeds: stored.embeds }),
    ...(components === undefined ? {} : { components: stored.components }),
  };
}
