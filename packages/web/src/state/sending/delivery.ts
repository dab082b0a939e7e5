import type { ParleyClient, SentMessage } from "@parley/client";
import { fromSentDirectMessage } from "../conversations/direct-message.js";
import { sentSince } from "../conversations/message-events.js";
import { kindOf } from "../conversations/message-requests.js";
import { pendingKey, withoutPending } from "../conversations/pending.js";
import { type PendingMessage, without } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";

/**
 * Sends a message once, with its files, and shows the answer in its place. Rejects when it was not stored, and when
 * nothing says that it was.
 */
export type Deliver = (message: PendingMessage, signal: AbortSignal) => Promise<void>;

/** Makes {@link Deliver}. */
export function createDelivery(client: ParleyClient, store: AppStore): Deliver {
  const post = async (message: PendingMessage, signal: AbortSignal): Promise<SentMessage> => {
    const { nonce, channelId, threadId, content, replyTo, files } = message;
    const text = { content, nonce, ...(replyTo === null ? {} : { reply_to: replyTo }) };
    // Files need no text, and no text is no content.
    const { content: _content, ...rest } = text;
    const body = files.length === 0 ? text : { ...(content === "" ? rest : text), files };
    const show = (progress: number) =>
      store.setState(({ uploads }) => ({ uploads: { ...uploads, [nonce]: progress } }));
    if (files.length > 0) show(0);
    const onProgress = ({ loaded, total }: { loaded: number; total: number }) => show(total === 0 ? 0 : loaded / total);
    const options = files.length === 0 ? { signal } : { signal, onProgress };
    if (kindOf(store.getState(), channelId) === "direct") {
      return fromSentDirectMessage(await client.directMessages.send(channelId, body, options));
    }
    if (threadId !== null) return client.threads.reply(channelId, threadId, body, options);
    return client.messages.send(channelId, body, options);
  };

  return async (message, signal) => {
    try {
      await store.change(
        () => post(message, signal),
        (state, sent, since) => {
          const cleared = withoutPending(state, pendingKey(message), message.nonce);
          // Removed by auto-moderation: its deletion is announced.
          return sent.deleted ? cleared : { ...cleared, ...sentSince(cleared, sent, since) };
        },
      );
    } finally {
      store.setState(({ uploads }) => ({ uploads: without(uploads, [message.nonce]) }));
    }
  };
}
