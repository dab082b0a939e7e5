import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Frame, Marks, SeenChannel } from "./seen-parts.js";

/** The unread counts, and the data of the service worker's notifications (src/worker/notices.ts). */
export interface NoticeState extends Marks {
  userId: string;
  /** In the language of the page. */
  labels: { reply: string; placeholder: string; markRead: string };
  /** By channel: mentions and direct messages that are unread and counted on the icon. */
  counts: Readonly<Record<string, number>>;
}

interface SeenSchema extends DBSchema {
  frame: { key: string; value: Frame };
  notices: { key: string; value: NoticeState };
  channels: { key: string; value: SeenChannel & { seenAt: number }; indexes: { "by-time": number } };
}

/** The browser's copy of the data that an account has seen. */
export type SeenStore = IDBPDatabase<SeenSchema>;

/** The stores of {@link SeenStore}; those with one entry have it under their own name. */
export const seenStores = ["frame", "notices", "channels"] as const;

/** Opens the store; the page and the service worker use the same one. */
export async function openSeen(): Promise<SeenStore> {
  const store: SeenStore = await openDB<SeenSchema>("parley.seen", 1, {
    upgrade(database) {
      database.createObjectStore("frame");
      database.createObjectStore("notices");
      database.createObjectStore("channels", { keyPath: "id" }).createIndex("by-time", "seenAt");
    },
    // A page of a newer version waits for this.
    blocking: () => store.close(),
  });
  return store;
}
