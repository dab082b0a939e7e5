import type { ChannelsMarkReadBody, ParleyClient } from "@parley/client";
import { channelRead } from "../community/user-events.js";
import type { AppStore } from "../store/app-store.js";
import type { History } from "../store/history.js";
import type { Place } from "./histories.js";

/** Marks channels as read. */
export interface ReadState {
  /**
   * To be called when the newest message of a channel is seen; without unread messages it does nothing.
   *
   * @param upTo id of the newest message that was seen; absent for the newest that the page has
   */
  markRead(place: Place, upTo?: string): void;
  /** Marks all channels of a server as read. */
  markServerRead(serverId: string): void;
}

/** Marks are sent at most this often per channel while messages keep arriving. */
const intervalMs = 1_500;

/** Without an id, all messages until now, for places that the page marks as read without showing them. */
type ReadUpTo = ChannelsMarkReadBody;

const readUpTo = (messageId: string | undefined): ReadUpTo =>
  messageId === undefined ? {} : { message_id: messageId };

/** The newest message of a channel, as far as the page has its end: a message that is still on its way was not read. */
const newestOf = (history: History | undefined): string | undefined =>
  history === undefined || history.hasNewer || history.isStale ? undefined : history.messages.at(-1)?.id;

/** Makes {@link ReadState}. */
export function createReadState(client: ParleyClient, store: AppStore): ReadState {
  /** The channels whose mark was just sent, with the mark that is to follow: null for none. */
  const waiting = new Map<string, ReadUpTo | null>();

  const send = ({ kind, id }: Place, upTo: ReadUpTo) =>
    (kind === "direct" ? client.directMessages.markRead(id, upTo) : client.channels.markRead(id, upTo)).catch(
      // After a failure the next READY has the counts of the server.
      () => undefined,
    );

  const markRead: ReadState["markRead"] = (place, messageId) => {
    const { unread, mentions, histories } = store.getState();
    if ((unread[place.id] ?? 0) === 0 && (mentions[place.id] ?? 0) === 0) return;
    const upTo = readUpTo(messageId ?? newestOf(histories[place.id]));
    store.setState((state) => channelRead(state, place.id));
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

  return {
    markRead,
    markServerRead(serverId) {
      for (const id of store.getState().channelIds[serverId] ?? []) markRead({ kind: "channel", id });
    },
  };
}
