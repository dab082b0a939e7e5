import type { ParleyClient, SentMessage } from "@parley/client";
import { errorText } from "../session/error-text.js";
import { fromSentDirectMessage } from "./direct-message.js";
import { filesFollow } from "./files-follow.js";
import { messageSent, replySent } from "./message-events.js";
import { type PendingMessage, without } from "./page-state.js";
import type { PageStore } from "./page-store.js";
import { placeOf, withoutPending } from "./pending.js";

/** Sends a message once and shows the answer in its place. Rejects when it was not stored, or nothing says that it was. */
export type Deliver = (message: PendingMessage, signal: AbortSignal) => Promise<void>;

/** Makes {@link Deliver}. */
export function createDelivery(client: ParleyClient, store: PageStore): Deliver {
  const post = async (message: PendingMessage, signal: AbortSignal): Promise<SentMessage> => {
    const { nonce, channelId, threadId, files, replyTo } = message;
    const content = files.length > 0 ? `${message.content}${filesFollow}` : message.content;
    const isDirect = store.getState().dmChannels.some(({ id }) => id === channelId);
    if (isDirect) {
      return fromSentDirectMessage(await client.directMessages.send(channelId, { content, nonce }, { signal }));
    }
    if (threadId !== null) return client.threads.reply(channelId, threadId, { content, nonce }, { signal });
    const body = { content, nonce, ...(replyTo === null ? {} : { reply_to: replyTo }) };
    return client.messages.send(channelId, body, { signal });
  };
  const upload = async (messageId: string, files: readonly File[]) => {
    const filenames = files.map(({ name }) => name);
    const show = (progress: number, error: string | null) =>
      store.setState((state) => ({ uploads: { ...state.uploads, [messageId]: { filenames, progress, error } } }));
    show(0, null);
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    try {
      const attachments = await client.attachments.upload(messageId, form, {
        onProgress: ({ loaded, total }) => show(total === 0 ? 0 : loaded / total, null),
      });
      store.setState((state) => ({
        uploads: without(state.uploads, [messageId]),
        attachments: { ...state.attachments, [messageId]: attachments },
      }));
    } catch (error) {
      show(0, errorText(error));
    }
  };

  return async (message, signal) => {
    const sent = await post(message, signal);
    store.apply((state) => {
      const settled = withoutPending(state, placeOf(message), message.nonce);
      // Removed by auto-moderation: its deletion is announced.
      if (sent.deleted) return settled;
      return message.threadId === null ? messageSent(settled, sent) : replySent(settled, sent, false);
    });
    if (message.files.length > 0 && !sent.deleted) await upload(sent.id, message.files);
  };
}
