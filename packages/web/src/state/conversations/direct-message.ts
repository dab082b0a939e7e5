import type { Attachment, DmMessage, Message, ReactionCount, SentDmMessage, SentMessage } from "@parley/client";

/** A direct message in the shape of a channel's, with the details that it has, so that one kind of history is enough. */
export function fromDirectMessage(
  message: DmMessage,
): Message & { reactions?: ReactionCount[]; attachments?: Attachment[] } {
  return {
    reply_to: null,
    ...message,
    mention_user_ids: [],
    mention_everyone: false,
    thread_id: null,
    thread_reply_count: 0,
    deleted: false,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
  };
}

/**
 * {@link fromDirectMessage} of one that was just sent. One without text and files was deleted since: an earlier request
 * with its nonce had sent it (docs/protocol/repetition.md#21).
 */
export function fromSentDirectMessage({ nonce, ...sent }: SentDmMessage): SentMessage {
  const message = { ...fromDirectMessage(sent), deleted: sent.content === "" && sent.attachments === undefined };
  return nonce === undefined ? message : { ...message, nonce };
}
