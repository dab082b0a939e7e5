import type { ParleyClient } from "@parley/client";
import { texts } from "../../texts/texts.js";
import { shownCounts } from "../notices/heard.js";
import type { AppState } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";
import { frameOf, isFrameChanged, seenOf, withKeptSent, withSeen } from "./seen-parts.js";
import { openSeen, seenStores } from "./seen-store.js";

/** Channels whose newest messages are kept: those that were looked at last. */
export const seenChannelsMax = 30;
/** Parts that change often are stored at most this often, in milliseconds. */
const keepMs = 2_000;

/**
 * A copy of the last state in IndexedDB, so that the page shows it when it is opened without a connection, or until
 * there is one.
 */
export interface Seen {
  /**
   * Shows the stored copy, unless there was a connection meanwhile.
   *
   * @param connection whether the page waits for one, or lost it
   * @returns whether it did
   */
  show(connection: "connecting" | "lost"): Promise<boolean>;
  /** Adds when the user wrote last, which no connection says. */
  recall(): Promise<void>;
  /** Removes all of it, as another user may log in next. */
  forget(): Promise<void>;
  close(): void;
}

const markParts = ["unread", "mentions", "lastSent"] as const;

/** Makes {@link Seen}, which stores the state of the store from then on. */
export function createSeen(client: ParleyClient, store: AppStore): Seen {
  const opened = openSeen();
  // Rejected in a browser that keeps nothing.
  opened.catch(() => undefined);
  const changed = new Set<string>();
  let isFrameDue = false;
  /** Whether nothing of another account is left, whose session ended without a page. */
  let isOwn = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const keep = async () => {
    timer = undefined;
    const state = store.getState();
    const frame = isFrameDue ? frameOf(state) : null;
    const channels = [...changed].flatMap((id) => seenOf(state, id) ?? []);
    isFrameDue = false;
    changed.clear();
    const transaction = (await opened).transaction(seenStores, "readwrite");
    if (!isOwn && (await transaction.objectStore("frame").get("frame"))?.me?.id !== state.me?.id) {
      for (const name of seenStores) await transaction.objectStore(name).clear();
    }
    isOwn = true;
    if (frame !== null) await transaction.objectStore("frame").put(frame, "frame");
    const { me, unread, mentions, lastSent } = state;
    if (me !== null) {
      const forWorker = { userId: me.id, labels: texts.notifications.actions, counts: shownCounts(state) };
      await transaction.objectStore("notices").put({ ...forWorker, unread, mentions, lastSent }, "notices");
    }
    const kept = transaction.objectStore("channels");
    for (const channel of channels) await kept.put({ ...channel, seenAt: Date.now() });
    const oldest = await kept.index("by-time").getAllKeys();
    for (const id of oldest.slice(0, -seenChannelsMax)) await kept.delete(id);
    await transaction.done;
  };
  const unsubscribe = store.subscribe((state, before) => {
    if (state.connection !== "connected") return;
    if (isFrameChanged(state, before)) isFrameDue = true;
    for (const id of Object.keys(state.histories === before.histories ? {} : state.histories)) {
      if (state.histories[id] !== before.histories[id]) changed.add(id);
    }
    const areMarksDue = markParts.some((part) => state[part] !== before[part]);
    // A browser that keeps nothing has nothing to show, either.
    if (isFrameDue || areMarksDue || changed.size > 0)
      timer ??= setTimeout(() => void keep().catch(() => undefined), keepMs);
  });
  const stop = () => {
    unsubscribe();
    clearTimeout(timer);
  };

  return {
    async show(connection) {
      try {
        const database = await opened;
        const [frame, marks, channels] = await Promise.all([
          database.get("frame", "frame"),
          database.get("notices", "notices"),
          database.getAll("channels"),
        ]);
        if (frame === undefined || marks === undefined || frame.me?.id !== accountOf(client)) return false;
        store.setState((state: AppState) => withSeen(state, frame, marks, channels, connection));
        return true;
      } catch {
        return false;
      }
    },
    async recall() {
      const marks = await (await opened).get("notices", "notices");
      if (marks?.userId === accountOf(client)) store.setState((state) => withKeptSent(state, marks?.lastSent));
    },
    async forget() {
      stop();
      const database = await opened;
      await Promise.all(seenStores.map((name) => database.clear(name)));
    },
    close() {
      stop();
      opened.then((database) => database.close()).catch(() => undefined);
    },
  };
}

/** The account of the session, which its token names; null without one. */
function accountOf({ tokens }: ParleyClient): string | null {
  const payload = tokens?.accessToken.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/");
  return payload === undefined ? null : (JSON.parse(atob(payload)).sub ?? null);
}
