import {
  type DetailedMessage,
  type Message,
  type ParleyClient,
  ParleyError,
  type ReactionAddEvent,
} from "@parley/client";
import { membersSince } from "../community/user-events.js";
import { createConnectedTime } from "../platform/connected-time.js";
import { nullIfGone } from "../platform/null-if-gone.js";
import type { RequestQueue } from "../platform/request-queue.js";
import { createTurns } from "../platform/turns.js";
import { type AppStore, withRead } from "../store/app-store.js";
import { profileOf } from "../store/group-people.js";
import { messageOf, withListedDetails } from "./listed-details.js";
import { changeMessage, messageSince, onReaction } from "./message-events.js";
import { kindOf, messageRequests } from "./message-requests.js";
import { createStaleCountTracker } from "./stale-counts.js";

/** Data of single messages and users, read when the page is about to show them. */
export interface Details {
  /** Stores the reactions and attachments of listed messages. @returns the messages without these */
  keepListed(page: readonly DetailedMessage[]): Message[];
  /** To be called for each event about a reaction of another user. */
  reactionChanged(event: Pick<ReactionAddEvent, "channel_id" | "message_id">): void;
  /** To be called for each event about a reply in a thread. */
  replied(reply: Pick<Message, "channel_id" | "thread_id">): void;
  /** Reads the reactions of a message that are not known: lists leave out those of more emoji than they have room for. */
  readReactions(channelId: string, messageId: string): Promise<void>;
  /** Reads the attachments again: their addresses are valid for 24 hours. */
  readAttachments(channelId: string, messageId: string): Promise<void>;
  /** Reads a message alone, with the embeds and components that a list left out. */
  readParts(channelId: string, messageId: string): Promise<void>;
  /** Reads a message that is quoted and stands outside the history. */
  readQuoted(channelId: string, messageId: string): Promise<void>;
  /** Reads the user whom a message or mention names: the member, or the account of a user without a membership. */
  readUser(userId: string, serverId: string | null): Promise<void>;
  /** Reads the preview of a link. */
  readPreview(url: string): Promise<void>;
  /** Adds or takes back a reaction; it is shown at once. */
  react(channelId: string, messageId: string, emoji: string, isOn: boolean): Promise<void>;
}

/** Members that are read together, once for each server: the authors of a screen then take one request, or few. */
const membersAtOnce = 100;

/** Makes {@link Details}. */
export function createDetails(client: ParleyClient, store: AppStore, queue: RequestQueue): Details {
  const listed = new Map<string, Promise<void>>();
  const inTurn = createTurns();

  const requestsOf = (channelId: string) => messageRequests(client, kindOf(store.getState(), channelId));
  const now = createConnectedTime(store);
  const reactionCounts = createStaleCountTracker((message) => readReactions(message.channel_id, message.id), now);
  const replyCounts = createStaleCountTracker(
    ({ id, channel_id }) =>
      queue(`replies ${id}`, async () => {
        const message = await client.messages.get(channel_id, id);
        store.setState((state) =>
          changeMessage(state, channel_id, id, (known) => ({
            ...known,
            thread_reply_count: message.thread_reply_count,
          })),
        );
        replyCounts.sawRead([message]);
      }),
    now,
  );
  const readReactions = (channelId: string, messageId: string) =>
    queue(`reactions ${messageId}`, async () => {
      const list = await requestsOf(channelId).reactions(channelId, messageId);
      store.setState((state) => ({ reactions: { ...state.reactions, [messageId]: list } }));
      reactionCounts.sawRead([{ id: messageId, channel_id: channelId }]);
    });
  const readAttachments = (channelId: string, messageId: string) =>
    queue(`attachments ${messageId}`, async () => {
      const list = await requestsOf(channelId).attachments(messageId);
      store.setState((state) => ({ attachments: { ...state.attachments, [messageId]: list } }));
    });
  /** Reads the oldest members, of a small server all. */
  const readFirstMembers = (serverId: string): Promise<void> => {
    const known = listed.get(serverId);
    if (known !== undefined) return known;
    const reading = store.read(
      () => client.members.list(serverId, { limit: membersAtOnce }),
      (state, members, since) => membersSince(state, serverId, members, since),
    );
    listed.set(serverId, reading);
    reading.catch(() => listed.delete(serverId));
    return reading;
  };

  return {
    readAttachments,
    readReactions,
    keepListed(page) {
      store.setState((state) => withListedDetails(state, page));
      reactionCounts.sawRead(page.filter(({ reactions }) => reactions !== undefined));
      const messages = page.map(messageOf);
      replyCounts.sawRead(messages);
      return messages;
    },
    reactionChanged: ({ message_id, channel_id }) => reactionCounts.sawEvent({ id: message_id, channel_id }),
    replied: ({ thread_id, channel_id }) => {
      if (thread_id !== null) replyCounts.sawEvent({ id: thread_id, channel_id });
    },
    readParts: (channelId, messageId) =>
      queue(`parts ${messageId}`, () =>
        store.read(
          () => requestsOf(channelId).get(channelId, messageId),
          // The page removes a deleted message when its event comes.
          (state, read, since) => (read.deleted ? state : messageSince(state, read, () => messageOf(read), since)),
        ),
      ),
    readQuoted: (channelId, messageId) =>
      queue(`message ${messageId}`, async () => {
        if (store.getState().quoted[messageId] !== undefined) return;
        await store.read(
          () => requestsOf(channelId).get(channelId, messageId).catch(nullIfGone),
          (state, read, since) => {
            const message = read === null || read.deleted ? null : messageOf(read);
            return withRead(state, "quoted", messageId, message, since);
          },
        );
      }),
    async readUser(userId, serverId) {
      const known = serverId === null ? undefined : store.getState().members[serverId]?.[userId];
      // Without an answer the user is read alone.
      if (serverId !== null && known === undefined) await readFirstMembers(serverId).catch(() => undefined);
      await queue(`user ${userId} ${serverId}`, async () => {
        const { members, profiles } = store.getState();
        if (serverId !== null && members[serverId]?.[userId] === undefined) {
          await store.read(
            () => client.members.get(serverId, userId).catch(nullIfGone),
            (state, member, since) => (member === null ? state : membersSince(state, serverId, [member], since)),
          );
          if (store.getState().members[serverId]?.[userId] !== undefined) return;
        }
        if (profiles[userId] !== undefined) return;
        await store.read(
          () => client.users.get(userId).catch(nullIfGone),
          (state, user, since) => {
            const profile = user === null ? null : profileOf(user);
            return { profiles: since({ ...state, profiles: { ...state.profiles, [userId]: profile } }).profiles };
          },
        );
      });
    },
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
      const show = (on: boolean) => store.apply((state) => onReaction(state, event, on ? 1 : -1));
      show(isOn);
      const { react, unreact } = requestsOf(channelId);
      const send = () => (isOn ? react : unreact)(channelId, messageId, emoji);
      try {
        await inTurn(`${messageId} ${emoji}`, send);
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
