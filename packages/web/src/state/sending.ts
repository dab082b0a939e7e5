import type { ParleyClient, SentMessage } from "@parley/client";
import { errorText } from "../session/error-text.js";
import { fromSentDirectMessage } from "./direct-message.js";
import { filesFollow } from "./files-follow.js";
import type { Place } from "./histories.js";
import { messageSent, replySent } from "./message-events.js";
import { type PendingMessage, without } from "./page-state.js";
import type { PageStore } from "./page-store.js";
import { placeOf, withFailure, withoutPending, withPending } from "./pending.js";

/** A message before it is sent. */
export interface Draft {
  place: Place;
  /** Root message for a reply in a thread. */
  threadId?: string;
  content: string;
  replyTo?: string;
  files?: readonly File[];
}

/** Sends messages; they are shown at once. */
export interface Sending {
  send(draft: Draft): Promise<void>;
  /** Sends a failed message again; the server stores one message for both attempts. */
  retry(message: PendingMessage): Promise<void>;
  /** Removes a failed message. */
  discard(message: PendingMessage): void;
  /** Sends the files of a message, of which an earlier attempt failed. */
  upload(messageId: string, files: readonly File[]): Promise<void>;
}

/** Makes {@link Sending}. */
export function createSending(client: ParleyClient, store: PageStore): Sending {
  const post = async ({ nonce, channelId, threadId, content, replyTo }: PendingMessage): Promise<SentMessage> => {
    const isDirect = store.getState().dmChannels.some(({ id }) => id === channelId);
    if (isDirect) return fromSentDirectMessage(await client.directMessages.send(channelId, { content, nonce }));
    if (threadId !== null) return client.threads.reply(channelId, threadId, { content, nonce });
    return client.messages.send(channelId, { content, nonce, ...(replyTo === null ? {} : { reply_to: replyTo }) });
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
  const attempt = async (message: PendingMessage) => {
    store.setState((state) => withPending(state, message));
    try {
      const sent = await post(message);
      store.apply((state) => {
        const settled = withoutPending(state, placeOf(message), message.nonce);
        // Removed by auto-moderation: its deletion is announced.
        if (sent.deleted) return settled;
        return message.threadId === null ? messageSent(settled, sent) : replySent(settled, sent, false);
      });
      if (message.files.length > 0 && !sent.deleted) await upload(sent.id, message.files);
    } catch (error) {
      store.setState((state) => withFailure(state, message, errorText(error)));
    }
  };

  return {
    upload,
    send: ({ place, threadId, content, replyTo, files = [] }) =>
      attempt({
        nonce: crypto.randomUUID(),
        channelId: place.id,
        threadId: threadId ?? null,
        content: files.length > 0 ? `${content}${filesFollow}` : content,
        replyTo: replyTo ?? null,
        files,
        createdAt: new Date().toISOString(),
        error: null,
      }),
    retry: (message) => attempt({ ...message, error: null }),
    discard: (message) => store.setState((state) => withoutPending(state, placeOf(message), message.nonce)),
  };
}
