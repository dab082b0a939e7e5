import type { FileUrls } from "@parley/auth";
import type { Attachment, MessageInteraction, NewMessage, SentMessage } from "@parley/contracts";
import { newPoll } from "../polls/schema.js";
import { newScheduledEvent } from "../scheduled-events/schema.js";
import type { MessageDraft } from "./draft.js";
import { appKeys } from "./embeds.js";
import { idPlaceholder, timePlaceholder } from "./event-placeholders.js";
import type { SendContext } from "./send-context.js";

/** The parts of a message that come from its context. */
export type MessageContext = Pick<
  SendContext,
  "serverId" | "author" | "mentionUserIds" | "mentionEveryone" | "mentionRoleIds" | "mentionHere"
>;

/**
 * The payload of the event of a message before it is stored, with placeholders for the message's id and time. Behind the
 * message are the keys that webhooks are not sent, the nonce last (`deliveryOfEvent`).
 */
export function newMessage(draft: MessageDraft, context: MessageContext, urls: FileUrls): NewMessage {
  return {
    id: idPlaceholder,
    channel_id: draft.channelId,
    author_id: draft.authorId,
    content: draft.content,
    reply_to: draft.replyTo ?? null,
    mention_user_ids: context.mentionUserIds,
    mention_everyone: context.mentionEveryone,
    thread_id: draft.threadId ?? null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: timePlaceholder,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: draft.poll === undefined ? null : newPoll(draft.poll),
    event: draft.event === undefined ? null : newScheduledEvent(draft.event, draft.authorId),
    interaction: interactionOf(draft),
    ...appKeys(draft, urls, idPlaceholder),
    ...(draft.webhook === undefined ? {} : { webhook: draft.webhook }),
    server_id: context.serverId,
    author: context.author,
    ...groupMentions(context),
    ...(draft.forwarded === undefined ? {} : { forwarded: { ...draft.forwarded, attachments: [] } }),
    nonce: draft.hidesNonce ? undefined : (draft.nonce ?? undefined),
  };
}

const groupMentions = ({ mentionRoleIds, mentionHere }: MessageContext): Pick<NewMessage, GroupKey> => ({
  ...(mentionRoleIds.length > 0 && { mention_role_ids: mentionRoleIds }),
  ...(mentionHere && { mention_here: true }),
});
type GroupKey = "mention_role_ids" | "mention_here";

/** The interaction that the message answers, as it shows it. */
export function interactionOf({ interaction }: Pick<MessageDraft, "interaction">): MessageInteraction | undefined {
  if (interaction === undefined) return undefined;
  const { id, user_id, name } = interaction;
  return { id, user_id, name };
}

/** The same with the attachments for its files, some of which may be pictures of its embeds. */
export function withAttachments(
  { server_id, author, mention_role_ids, mention_here, forwarded, nonce, ...message }: NewMessage,
  attachments: Attachment[],
  { draft, urls }: { draft: MessageDraft; urls: FileUrls },
): NewMessage {
  const shown = appKeys(draft, urls, attachments[0]?.message_id ?? idPlaceholder);
  const groups = { mention_role_ids, mention_here };
  const files = forwarded === undefined ? { attachments } : {};
  const newer = forwarded === undefined ? groups : { ...groups, forwarded: { ...forwarded, attachments } };
  return { ...message, ...shown, ...files, server_id, author, ...newer, nonce };
}

/** The stored message, as the answer has it. */
export function sentMessage(
  { server_id, author, ...message }: NewMessage,
  { id, time }: { id: string; time: string },
): SentMessage {
  return { ...message, id, created_at: time };
}
