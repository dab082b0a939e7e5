import type { DmMessage, Message, SentDmMessage, SentMessage } from "@parley/client";

/** A direct message in the shape of a channel's, so that one kind of history is enough. */
export function fromDirectMessage(message: DmMessage): Message {
  const { id, channel_id, author_id, content, edited_at, created_at } = message;
  return {
    id,
    channel_id,
    author_id,
    content,
    edited_at,
    created_at,
    reply_to: null,
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

/** {@link fromDirectMessage} with the nonce of one that was just sent. */
export function fromSentDirectMessage(message: SentDmMessage): SentMessage {
  return message.nonce === undefined
    ? fromDirectMessage(message)
    : { ...fromDirectMessage(message), nonce: message.nonce };
}
