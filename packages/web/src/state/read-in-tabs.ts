import { without } from "./app-state.js";
import type { AppStore } from "./app-store.js";

/** What one tab has read. */
interface Mark {
  userId: string;
  placeId: string;
  /** Id of the newest message that was seen. */
  upTo: string;
}

/** Carries what is read in one tab to the other tabs of the browser. */
export interface ReadInTabs {
  /** Sends what this tab has read; without an open channel or a known message it does nothing. */
  send(placeId: string): void;
  /** Follows the other tabs until the returned function is called. */
  open(): () => void;
}

/** Makes {@link ReadInTabs}. */
export function createReadInTabs(store: AppStore): ReadInTabs {
  let tabs: BroadcastChannel | null = null;
  return {
    send(placeId) {
      const { me, histories } = store.getState();
      const upTo = histories[placeId]?.messages.at(-1)?.id;
      if (me === null || upTo === undefined) return;
      tabs?.postMessage({ userId: me.id, placeId, upTo } satisfies Mark);
    },
    open() {
      tabs = new BroadcastChannel("parley.read");
      tabs.onmessage = ({ data: { userId, placeId, upTo } }: MessageEvent<Mark>) => {
        if (store.getState().me?.id !== userId) return;
        store.setState((state) => ({
          unread: without(state.unread, [placeId]),
          mentions: without(state.mentions, [placeId]),
          readElsewhere: { ...state.readElsewhere, [placeId]: upTo },
        }));
      };
      return () => {
        tabs?.close();
        tabs = null;
      };
    },
  };
}
