import { type Message, notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import type { AutomodGate } from "../automod/gate.js";
import type { MessageDraft } from "./draft.js";
import { messageErrors } from "./error-texts.js";
import { findMentions } from "./mentions.js";
import { createRequireSendContext } from "./send-context.js";
import { createWriteMessage } from "./writer.js";

/**
 * Sends a message.
 *
 * @returns the message, `deleted` when a rule of auto-moderation deleted it
 * @throws ServiceError as docs/interface.md#7.1 and docs/interface.md#7.2 say, in the order of the send pipeline
 */
export type SendMessage = (draft: MessageDraft) => Promise<Message>;

/**
 * The send pipeline of docs/interface.md#7.1: the one way for messages, thread replies, polls and scheduled
 * events into a channel.
 */
export function createSendMessage(options: { database: Database; outbox: Outbox; automod: AutomodGate }): SendMessage {
  const { database, outbox, automod } = options;
  const requireSendContext = createRequireSendContext({ database });
  const write = createWriteMessage({ outbox });

  return async (draft) => {
    const context = await requireSendContext(draft, findMentions(draft.content));
    const checked = await automod.check(context.automod, context.evidence, {
      server_id: context.serverId,
      channel_id: draft.channelId,
      user_id: draft.authorId,
      content: draft.content,
      texts: textsOf(draft),
    });
    try {
      if (draft.replyTo && !context.replyTargetExists) throw notFound(messageErrors.replyTargetNotFound);
      const message = await write(draft, context, checked.pending);
      const isDeleted = await automod.afterStored(checked, message.id);
      return isDeleted ? { ...message, deleted: true } : message;
    } catch (error) {
      automod.release(checked);
      throw error;
    }
  };
}

/** What the word filter reads of a message. */
function textsOf({ content, poll, event }: MessageDraft): string[] {
  if (poll !== undefined) return [poll.question, ...poll.options];
  if (event === undefined) return [content];
  return event.description ? [event.name, event.description] : [event.name];
}
