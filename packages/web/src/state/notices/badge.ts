import type { AppStore } from "../store/app-store.js";
import { shownCount } from "./heard.js";

/** The number on the icon of the installed application, where the system has one. */
export interface Badge {
  clear(): void;
  close(): void;
}

const watched = ["connection", "unread", "mentions", "dmChannels", "notifications"] as const;

/** Keeps the number equal to the unread messages that ask for an answer: mentions and direct messages. */
export function createBadge(store: AppStore): Badge {
  let shown: number | null = null;
  const show = (count: number) => {
    if (count === shown) return;
    shown = count;
    // The permission may be missing, which costs the number alone.
    navigator.setAppBadge?.(count).catch(() => undefined);
  };
  const close = store.subscribe((state, before) => {
    if (watched.every((part) => state[part] === before[part])) return;
    // A page without a connection has old counts; another one may have better ones.
    if (state.connection === "connected") show(shownCount(state));
    else shown = null;
  });
  return { clear: () => show(0), close };
}
