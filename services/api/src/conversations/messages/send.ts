import type { FileUrls } from "@parley/auth";
import { errorTexts, forbidden, notFound, type SentMessage } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { requireAnswerable } from "@parley/interactions";
import type { Outbox } from "@parley/outbox";
import type { SentFiles } from "../../platform/files/message-form.js";
import type { SendResult } from "../../platform/nonces/sent.js";
import type { NonceTurns } from "../../platform/nonces/turns.js";
import type { AutomodGate, RuleSettings } from "../../rules/automod/gate.js";
import { mentionCandidates } from "../../rules/mentions/mentions.js";
import { eventTexts } from "../scheduled-events/schema.js";
import type { MessageDetails } from "./details.js";
import type { MessageDraft } from "./draft.js";
import { appTexts, hasAppParts, requireSmallParts } from "./embeds.js";
import { findMessage } from "./repository.js";
import type { RequireSendContext, SendContext } from "./send-context.js";
import type { ReserveSlowMode } from "./slow-mode.js";
import { createWriteMessage } from "./write.js";

/**
 * The send pipeline of docs/protocol/messages.md#7.1, which every message, thread reply, poll and scheduled event of a channel
 * passes.
 */
export function createSendMessage(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  automod: AutomodGate;
  nonceTurns: NonceTurns;
  requireSendContext: RequireSendContext;
  reserveSlowMode: ReserveSlowMode;
  details: MessageDetails;
  urls: FileUrls;
}) {
  const { database, outbox, automod, nonceTurns, requireSendContext, reserveSlowMode, details, urls } = options;
  const contextOf = async (draft: MessageDraft) => {
    const { content, poll, event, interaction, forwarded, files, embeds, components, mayEmbed, webhook, ...place } =
      draft;
    const context = await requireSendContext(place, mentionCandidates(content));
    if (mayEmbed !== true && hasAppParts(draft)) throw forbidden(errorTexts.only_bots_embed);
    requireSmallParts(draft, urls);
    return context;
  };
  const write = createWriteMessage({ outbox, urls });

  /** The message of an earlier request in its present state: an edited one with its edit, a deleted one blanked. */
  const findSent = async (draft: MessageDraft, messageId: string | null): Promise<SendResult<SentMessage>> => {
    const { authorId, nonce, files, forwarded } = draft;
    const hasFiles = files !== undefined && forwarded === undefined;
    const row = messageId === null ? null : await findMessage(database, messageId);
    const rows = row === null ? [] : [row];
    const [message] = await details(rows, { viewerId: authorId, include: hasFiles ? ["attachments"] : [] });
    // Within the lifetime of its nonce, the row of a message is only removed with its channel.
    if (message === undefined) throw notFound(errorTexts.channel_not_found);
    return { message: { ...message, nonce: nonce ?? undefined }, isNew: false };
  };

  /**
   * Checks the draft by auto-moderation and stores it.
   *
   * @returns null when a concurrent request used the nonce, or the author's version has changed
   */
  const storeChecked = async (draft: MessageDraft, context: SendContext): Promise<SendResult<SentMessage> | null> => {
    const mimeTypes = draft.files?.received.map(({ mime_type }) => mime_type) ?? [];
    const text = {
      server_id: context.serverId,
      channel_id: draft.channelId,
      user_id: draft.authorId,
      content: draft.content,
      texts: textsOf(draft),
    };
    const checked = await automod.check(guardsOf(draft, context), context.evidence, text, {
      mentionUserIds: context.mentionUserIds,
      mentionEveryone: context.mentionEveryone,
      mentionRoleIds: context.mentionRoleIds,
      mentionHere: context.mentionHere,
      mimeTypes,
      files: mimeTypes.length,
    });
    try {
      if (draft.replyTo && context.answeredAuthorId === null) throw notFound(errorTexts.reply_target_not_found);
      if (draft.files !== undefined) requireFiles(draft.files, context);
      const message = await write(draft, context, checked.pending);
      if (message === null) {
        automod.release(checked);
        return null;
      }
      const isDeleted = await automod.afterStored(checked, message.id);
      return { message: isDeleted ? { ...message, deleted: true } : message, isNew: true };
    } catch (error) {
      automod.release(checked);
      throw error;
    }
  };

  /** The same after the check of slow mode. A message that is not stored does not start its time. */
  const store = async (draft: MessageDraft, context: SendContext): Promise<SendResult<SentMessage>> => {
    const reservation = await reserveSlowMode(draft, draft.interaction === undefined ? context.slowMode : null);
    const sent = await storeChecked(draft, context).catch(async (error: unknown) => {
      await reservation.giveBack();
      throw error;
    });
    if (sent !== null) {
      reservation.stored();
      return sent;
    }
    await reservation.giveBack();
    if (draft.interaction !== undefined) await requireAnswerable(database, draft.interaction);
    // Starts over with a new context.
    return sendOnce(draft, await contextOf(draft));
  };

  const sendOnce = async (draft: MessageDraft, context: SendContext): Promise<SendResult<SentMessage>> =>
    context.repeatedId === null ? store(draft, context) : findSent(draft, context.repeatedId);

  return async (draft: MessageDraft): Promise<SendResult<SentMessage>> => {
    const context = await contextOf(draft);
    const { authorId, channelId, nonce } = draft;
    // A repeated request is neither judged nor kept waiting by the message that it repeats.
    const isChecked =
      (context.automod !== null && context.automod.rules.length > 0) ||
      context.automodRules !== null ||
      context.slowMode !== null;
    if (!nonce || context.repeatedId !== null || !isChecked) return sendOnce(draft, context);
    return nonceTurns.take({ authorId, channelId, nonce }, async () =>
      // The context is read again: the one from before this turn may lack the message of the previous turn.
      sendOnce(draft, await contextOf(draft)),
    );
  };
}

/**
 * Sends a message, unless one with its nonce exists.
 *
 * @returns the message, `deleted` when a rule of auto-moderation deleted it
 * @throws ServiceError by docs/protocol/messages.md#7.1 and docs/protocol/messages.md#7.2, in the order of the send pipeline
 */
export type SendMessage = ReturnType<typeof createSendMessage>;

/** Faults of a message's files come after the faults of the message (docs/protocol/messages.md#7.6). */
function requireFiles({ rejection }: SentFiles, { mayAttach }: SendContext): void {
  if (!mayAttach) throw forbidden(errorTexts.attach_files_required);
  if (rejection !== null) throw rejection;
}

/** The texts of a message that the word filter checks. */
function textsOf({ content, poll, event, forwarded, ...parts }: MessageDraft): string[] {
  if (poll !== undefined) return [poll.question, ...poll.options];
  if (event === undefined) return [content, ...appTexts(parts), ...(forwarded ? [forwarded.content] : [])];
  return eventTexts(event);
}

/** Messages of the same text with other embeds, or that forward others, are no duplicates. */
function guardsOf(draft: MessageDraft, { automod, automodRules }: SendContext): RuleSettings {
  if (automod === null || (!hasAppParts(draft) && draft.forwarded === undefined)) return { automod, automodRules };
  return { automod: { ...automod, rules: automod.rules.filter((rule) => rule !== "duplicate") }, automodRules };
}
