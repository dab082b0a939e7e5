import { type DetailedMessage, type Message, type ParleyClient, ParleyError } from "@parley/client";
import { filesFollow } from "./files-follow.js";
import { messageOf, withListedDetails } from "./listed-details.js";
import { onReaction } from "./message-events.js";
import type { PageStore } from "./page-store.js";
import { createReactionDoubts, settleMs } from "./reaction-doubts.js";
import type { RequestQueue } from "./request-queue.js";
import { withMembers } from "./user-events.js";

/** What belongs to single messages and users, read when it is about to be seen. */
export interface Details {
  /** Keeps what a list of messages carries beside them, and answers with the messages. */
  keepListed(page: readonly DetailedMessage[]): Message[];
  /** To be called for each event about a reaction of somebody else. */
  reactionChanged(channelId: string, messageId: string): void;
  /** Reads reactions and attachments of a message unless they are known. */
  readMessage(channelId: string, messageId: string): Promise<void>;
  /** Reads the attachments again: their addresses are valid for 24 hours. */
  readAttachments(messageId: string): Promise<void>;
  /** Reads a message that is quoted and stands outside the history. */
  readQuoted(channelId: string, messageId: string): Promise<void>;
  /** Reads the member, or the account where it is none, that a message or mention names. */
  readUser(userId: string, serverId: string | null): Promise<void>;
  /** Reads what the page behind a link says of itself. */
  readPreview(url: string): Promise<void>;
  /** Adds or takes back a reaction; it is shown at once. */
  react(channelId: string, messageId: string, emoji: string, isOn: boolean): Promise<void>;
}

/** Milliseconds between looks for files that are being uploaded; the last look is the end of it. */
const lookAgainAfterMs = [700, 1_500, 3_000, 6_000, 12_000, 30_000, 60_000];
/** Age from which a message's files count as complete. */
const uploadMaxMs = 600_000;

/** Makes {@link Details}. */
export function createDetails(client: ParleyClient, store: PageStore, queue: RequestQueue): Details {
  const looking = new Set<string>();

  const doubts = createReactionDoubts();

  const readReactions = (channelId: string, messageId: string) =>
    queue(`reactions ${messageId}`, async () => {
      const list = await client.reactions.list(channelId, messageId);
      store.setState((state) => ({ reactions: { ...state.reactions, [messageId]: list } }));
      if (doubts.sawRead([messageId]).length > 0) readAgain(channelId, messageId);
    });
  const waiting = new Set<string>();
  const readAgain = (channelId: string, messageId: string) => {
    if (waiting.has(messageId)) return;
    waiting.add(messageId);
    setTimeout(() => {
      waiting.delete(messageId);
      readReactions(channelId, messageId).catch(() => undefined);
    }, settleMs);
  };
  const readAttachments = (messageId: string) =>
    queue(`attachments ${messageId}`, async () => {
      const list = await client.attachments.list(messageId);
      store.setState((state) => ({ attachments: { ...state.attachments, [messageId]: list } }));
    });
  /** The time, in milliseconds: what the newest message of a channel says, where the clock of this device is fast. */
  const now = (channelId: string) => {
    const newest = store.getState().histories[channelId]?.messages.at(-1);
    return newest === undefined ? Date.now() : Math.min(Date.now(), Date.parse(newest.created_at));
  };
  const lookForFiles = async ({ id: messageId, channel_id, content, created_at }: Message) => {
    await readAttachments(messageId);
    const isAwaited = content.endsWith(filesFollow) && now(channel_id) - Date.parse(created_at) < uploadMaxMs;
    if (!isAwaited || looking.has(messageId)) return;
    looking.add(messageId);
    for (const afterMs of lookAgainAfterMs) {
      const { attachments, uploads } = store.getState();
      if ((attachments[messageId]?.length ?? 0) > 0 || uploads[messageId] !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await readAttachments(messageId);
    }
    looking.delete(messageId);
  };

  return {
    readAttachments,
    keepListed(page) {
      store.setState((state) => withListedDetails(state, page));
      const channelOf = new Map(page.map(({ id, channel_id }) => [id, channel_id]));
      const carried = page.filter(({ reactions }) => reactions !== undefined).map(({ id }) => id);
      for (const id of doubts.sawRead(carried)) readAgain(channelOf.get(id) ?? "", id);
      return page.map(messageOf);
    },
    reactionChanged(channelId, messageId) {
      if (doubts.sawEvent(messageId)) readAgain(channelId, messageId);
    },
    async readMessage(channelId, messageId) {
      const { histories, threads, pins, reactions, attachments, uploads } = store.getState();
      const lists = [histories[channelId]?.messages, pins[channelId], ...Object.values(threads).map((t) => t.messages)];
      const message = lists.flatMap((list) => list ?? []).find(({ id }) => id === messageId);
      if (message === undefined) return;
      await Promise.all([
        reactions[messageId] === undefined ? readReactions(channelId, messageId) : undefined,
        attachments[messageId] === undefined && uploads[messageId] === undefined ? lookForFiles(message) : undefined,
      ]);
    },
    readQuoted: (channelId, messageId) =>
      queue(`message ${messageId}`, async () => {
        if (store.getState().quoted[messageId] !== undefined) return;
        const message = await client.messages.get(channelId, messageId).catch(nullIfGone);
        const quoted = message?.deleted === true ? null : message;
        store.setState((state) => ({ quoted: { ...state.quoted, [messageId]: quoted } }));
      }),
    readUser: (userId, serverId) =>
      queue(`user ${userId} ${serverId}`, async () => {
        const { members, profiles } = store.getState();
        if (serverId !== null && members[serverId]?.[userId] === undefined) {
          const member = await client.members.get(serverId, userId).catch(nullIfGone);
          if (member !== null) return store.setState((state) => withMembers(state, serverId, [member]));
        }
        if (profiles[userId] !== undefined) return;
        const user = await client.users.get(userId).catch(nullIfGone);
        const profile = user === null ? null : { id: user.id, username: user.username, avatar_url: user.avatar_url };
        store.setState((state) => ({ profiles: { ...state.profiles, [userId]: profile } }));
      }),
    readPreview: (url) =>
      queue(`preview ${url}`, async () => {
        if (store.getState().previews[url] !== undefined) return;
        const preview = await client.linkPreviews.get({ url }).catch(nullIfRefused);
        store.setState((state) => ({ previews: { ...state.previews, [url]: preview } }));
      }),
    async react(channelId, messageId, emoji, isOn) {
      const { me } = store.getState();
      if (me === null) return;
      const event = { channel_id: channelId, message_id: messageId, user_id: me.id, emoji };
      const show = (on: boolean) => store.setState((state) => onReaction(state, event, on ? 1 : -1));
      show(isOn);
      try {
        if (isOn) await client.reactions.add(channelId, messageId, emoji);
        else await client.reactions.remove(channelId, messageId, emoji);
      } catch (error) {
        show(!isOn);
        throw error;
      }
    },
  };
}

/** 400: the page has no preview, or is not to be asked for one. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ParleyError && error.status === 400) return null;
  throw error;
}

function nullIfGone(error: unknown): null {
  if (error instanceof ParleyError && error.status === 404) return null;
  throw error;
}
