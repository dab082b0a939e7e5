import type { ParleyClient, ReadStateUpdateEvent } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";

/** The number of unread items in the inbox (docs/protocol/inbox.md#33.1). */
export interface Inbox {
  /** Reads it; later there are events. */
  readUnread(): Promise<void>;
  /** To be called when a channel or thread was marked as read, which reads its items, too: that has no INBOX_UPDATE. */
  marked(mark: Pick<ReadStateUpdateEvent, "thread_id">): void;
}

/** How many items of the inbox ask to be read. */
export const unreadItems = ({ inbox }: AppState): number =>
  inbox === null ? 0 : inbox.mention + inbox.reply + inbox.thread;

/** Several marks within this time have the number read once. */
const waitMs = 500;

/** Makes {@link Inbox}. */
export function createInbox(client: ParleyClient, store: AppStore): Inbox {
  let isDue = false;
  const readUnread = () =>
    store.read(
      () => client.inbox.list({ limit: 1 }),
      (state, { unread }, since) => ({ inbox: since({ ...state, inbox: unread }).inbox }),
    );
  return {
    readUnread,
    marked({ thread_id }) {
      const { inbox } = store.getState();
      const concerned = inbox === null ? 0 : thread_id === undefined ? inbox.mention + inbox.reply : inbox.thread;
      if (concerned === 0 || isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        readUnread().catch(() => undefined);
      }, waitMs);
    },
  };
}
