import type { ParleyClient } from "@parley/client";
import type { AppStore } from "./app-store.js";
import type { Place } from "./histories.js";
import { channelRead } from "./user-events.js";

/** Marks channels as read. */
export interface ReadState {
  /** To be called when the newest message of a channel is seen; without unread messages it does nothing. */
  markRead(place: Place): void;
  /** Marks all channels of a server as read. */
  markServerRead(serverId: string): void;
}

/** Marks are sent at most this often per channel while messages keep arriving. */
const intervalMs = 1_500;

/** Makes {@link ReadState}. */
export function createReadState(client: ParleyClient, store: AppStore): ReadState {
  /** The channels whose mark was just sent, and whether there is something new to mark since. */
  const waiting = new Map<string, boolean>();

  const send = ({ kind, id }: Place) =>
    (kind === "direct" ? client.directMessages.markRead(id) : client.channels.markRead(id)).catch(
      // After a failure the next READY has the counts of the server.
      () => undefined,
    );

  const markRead: ReadState["markRead"] = (place) => {
    const { unread, mentions } = store.getState();
    if ((unread[place.id] ?? 0) === 0 && (mentions[place.id] ?? 0) === 0) return;
    store.setState((state) => channelRead(state, place.id));
    const isSentSoon = waiting.has(place.id);
    waiting.set(place.id, isSentSoon);
    if (isSentSoon) return;
    void send(place);
    setTimeout(() => {
      const hasNews = waiting.get(place.id) === true;
      waiting.delete(place.id);
      // Messages that arrived and were seen within the interval.
      if (hasNews && (store.getState().unread[place.id] ?? 0) === 0) void send(place);
    }, intervalMs);
  };

  return {
    markRead,
    markServerRead(serverId) {
      for (const id of store.getState().channelIds[serverId] ?? []) markRead({ kind: "channel", id });
    },
  };
}
