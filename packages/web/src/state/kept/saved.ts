import type { ParleyClient, SavedUpdateEvent } from "@parley/client";
import { type AppState, without } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";

/** The messages that the user keeps (docs/protocol/later.md#33.4). */
export interface Saved {
  /** Reads which messages are saved, once after each READY; later there are events. */
  read(): Promise<void>;
  /** Keeps a message, or keeps it no longer; without a note the one that there is stays. */
  keep(messageId: string, isKept: boolean, note?: string | null): Promise<void>;
}

/** The messages saved last whose menus offer to take that back; saving one again changes nothing. */
const readMax = 100;

/** Makes {@link Saved}. */
export function createSaved(client: ParleyClient, store: AppStore): Saved {
  let begun = 0;
  return {
    async read() {
      const { readyCount } = store.getState();
      if (begun === readyCount) return;
      begun = readyCount;
      try {
        await store.read(
          () => client.saved.list({ limit: readMax }),
          (state, { saved }, since) => {
            const ids = Object.fromEntries(saved.map(({ message }) => [message.id, true as const]));
            return { saved: since({ ...state, saved: ids }).saved };
          },
        );
      } catch (error) {
        begun = 0;
        throw error;
      }
    },
    async keep(message_id, isKept, note) {
      await (isKept
        ? client.saved.add(message_id, note === undefined ? {} : { note })
        : client.saved.remove(message_id));
    },
  };
}

/** SAVED_UPDATE */
export function onSaved(state: AppState, { message_id, saved }: SavedUpdateEvent): AppState {
  return {
    ...state,
    saved: saved === null ? without(state.saved, [message_id]) : { ...state.saved, [message_id]: true },
  };
}
