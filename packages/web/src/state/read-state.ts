import type { ParleyClient } from "@parley/client";
import type { Place } from "./histories.js";
import { without } from "./page-state.js";
import type { PageStore } from "./page-store.js";

/** Marks channels as read. */
export interface ReadState {
  /** To be called when the newest message of a channel is seen; without unread messages it does nothing. */
  markRead(place: Place): void;
}

/** Marks are sent at most this often per channel while messages keep arriving. */
const intervalMs = 1_500;

/** Makes {@link ReadState}. */
export function createReadState(client: ParleyClient, store: PageStore): ReadState {
  const waiting = new Set<string>();

  const send = ({ kind, id }: Place) =>
    (kind === "direct" ? client.directMessages.markRead(id) : client.channels.markRead(id)).catch(
      // After a failure the next READY has the counts of the server.
      () => undefined,
    );

  return {
    markRead(place) {
      const { unread, mentions } = store.getState();
      if ((unread[place.id] ?? 0) === 0 && (mentions[place.id] ?? 0) === 0) return;
      store.setState((state) => ({
        unread: without(state.unread, [place.id]),
        mentions: without(state.mentions, [place.id]),
      }));
      if (waiting.has(place.id)) return;
      waiting.add(place.id);
      void send(place);
      setTimeout(() => {
        waiting.delete(place.id);
        // Messages that arrived and were seen within the interval.
        if ((store.getState().unread[place.id] ?? 0) === 0) void send(place);
      }, intervalMs);
    },
  };
}
