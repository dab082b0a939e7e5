import type { ChannelsMarkReadBody, ParleyClient } from "@parley/client";
import { placeRead } from "../community/user-events.js";
import { unreadThreadsOf } from "../notices/heard.js";
import { historyOf } from "../notices/unread.js";
import type { AppStore } from "../store/app-store.js";
import type { History } from "../store/history.js";
import type { Place } from "./histories.js";

/** A channel, a conversation, or a thread by its root message. */
export type ReadPlace = Place | { kind: "thread"; id: string };

/** Marks channels and threads as read. */
export interface ReadState {
  /**
   * To be called when the newest message of a place is seen; without unread messages it does nothing.
   *
   * @param upTo id of the newest message that was seen; absent for the newest that the page has
   */
  markRead(place: ReadPlace, upTo?: string): void;
  /** Marks a place as read, with the followed threads of a channel. */
  markAllRead(place: Place): void;
  /** Marks a message and those after it as unread. They stay so while the user sees them, until the place is left. */
  markUnread(place: Place, messageId: string): Promise<void>;
  /** Whether the user has marked a place as unread that they still see. */
  isKeptUnread(place: ReadPlace): boolean;
  /** To be called when a place is no longer shown. */
  left(place: ReadPlace): void;
  /** From now on the user sees the end of the place: each message is read as it arrives. @returns a function that ends that */
  follow(place: ReadPlace): () => void;
  /**
   * To be called once a message is counted: one that the user sees is read before anything is rendered, as counts that
   * change twice would cost the page two renderings for each message.
   */
  arrived(message: { channel_id: string; thread_id?: string | null }): void;
  /** Marks all channels of a server as read, with their followed threads. */
  markServerRead(serverId: string): void;
}

/** Marks are sent at most this often per place while messages keep arriving. */
const intervalMs = 1_500;

/** Without an id, all messages until now, for places that the page marks as read without showing them. */
type ReadUpTo = ChannelsMarkReadBody;

const readUpTo = (messageId: string | undefined): ReadUpTo =>
  messageId === undefined ? {} : { message_id: messageId };

/** The newest message of a place, as far as the page has its end: a message that is still on its way was not read. */
const newestOf = (history: History | undefined): string | undefined =>
  history === undefined || history.hasNewer || history.isStale ? undefined : history.messages.at(-1)?.id;

/** Makes {@link ReadState}. */
export function createReadState(client: ParleyClient, store: AppStore): ReadState {
  /** The places whose mark was just sent, with the mark that is to follow: null for none. */
  const waiting = new Map<string, ReadUpTo | null>();

  const { channels, directMessages, threads } = client;
  const resourceOf = { channel: channels, direct: directMessages, thread: threads };
  const send = ({ kind, id }: ReadPlace, upTo: ReadUpTo) =>
    // After a failure the next READY has the counts of the server.
    resourceOf[kind].markRead(id, upTo).catch(() => undefined);

  const markRead: ReadState["markRead"] = (place, messageId) => {
    const state = store.getState();
    const { unread, mentions } = state;
    if ((unread[place.id] ?? 0) === 0 && (mentions[place.id] ?? 0) === 0) return;
    const upTo = readUpTo(messageId ?? newestOf(historyOf(state, place.id)));
    store.setState((before) => placeRead(before, place.id));
    const isSentSoon = waiting.has(place.id);
    waiting.set(place.id, isSentSoon ? upTo : null);
    if (isSentSoon) return;
    void send(place, upTo);
    setTimeout(() => {
      const next = waiting.get(place.id) ?? null;
      waiting.delete(place.id);
      // Messages that arrived and were seen within the interval.
      if (next !== null && (store.getState().unread[place.id] ?? 0) === 0) void send(place, next);
    }, intervalMs);
  };

  const keptUnread = new Set<string>();
  const markAllRead = (place: Place) => {
    keptUnread.delete(place.id);
    markRead(place);
    for (const id of unreadThreadsOf(store.getState(), place.id)) markRead({ kind: "thread", id });
  };

  const followed = new Map<string, ReadPlace>();
  return {
    markRead,
    markAllRead,
    async markUnread(place, message_id) {
      keptUnread.add(place.id);
      // A mark that is still to be sent would go forward again.
      if (waiting.has(place.id)) waiting.set(place.id, null);
      await resourceOf[place.kind].markRead(place.id, { message_id, unread: true });
    },
    isKeptUnread: ({ id }) => keptUnread.has(id),
    left: ({ id }) => void keptUnread.delete(id),
    follow(place) {
      followed.set(place.id, place);
      return () => {
        if (followed.get(place.id) === place) followed.delete(place.id);
      };
    },
    arrived({ channel_id, thread_id }) {
      const place = followed.get(thread_id ?? channel_id);
      if (place !== undefined && document.hasFocus() && !keptUnread.has(place.id)) markRead(place);
    },
    markServerRead(serverId) {
      for (const id of store.getState().channelIds[serverId] ?? []) markAllRead({ kind: "channel", id });
    },
  };
}
