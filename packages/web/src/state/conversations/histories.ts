import type { Message, ParleyClient } from "@parley/client";
import type { RequestQueue } from "../platform/request-queue.js";
import { without } from "../store/app-state.js";
import { type AppStore, entrySince, withEntry, withRead } from "../store/app-store.js";
import { afterLeaving, type History, windowOf, withNewer, withOlder } from "../store/history.js";
import type { Details } from "./details.js";
import { listedDetails } from "./listed-details.js";
import { messageRequests, type Place } from "./message-requests.js";
import { createThreads, type Threads } from "./threads.js";

export type { Place } from "./message-requests.js";

/** Reads histories. */
export interface Histories extends Threads {
  /** Reads the newest messages, unless the store has a window that is not stale. */
  open(place: Place): Promise<void>;
  /**
   * Moves the window to a message and its neighbours; to the root of its thread when it is a thread reply.
   *
   * @param onReply called with the root before the window moves there
   */
  jump(place: Place, messageId: string, onReply?: (rootId: string) => void): Promise<void>;
  /** Moves the window to the newest messages. */
  toNewest(place: Place): Promise<void>;
  older(place: Place): Promise<void>;
  newer(place: Place): Promise<void>;
  /** Shortens the window of a channel that is no longer shown. */
  leave(place: Place): void;
  /** Reads the pins of a channel. */
  readPins(channelId: string): Promise<void>;
}

const pageSize = 50;

/** Makes {@link Histories}. */
export function createHistories(options: {
  client: ParleyClient;
  store: AppStore;
  queue: RequestQueue;
  keepListed: Details["keepListed"];
}): Histories {
  const { client, store, queue, keepListed } = options;
  const list = async ({ kind, id }: Place, cursor: { before?: string; after?: string }): Promise<Message[]> =>
    keepListed(await messageRequests(client, kind).list(id, { limit: pageSize, ...cursor }));
  const isFull = (page: readonly Message[]) => page.length === pageSize;
  const toNewest = (place: Place) =>
    queue(`newest ${place.id}`, () =>
      store.read(
        () => list(place, {}),
        (state, page, since) => {
          const read = windowOf(page, { hasOlder: isFull(page), hasNewer: false });
          return withRead(state, "histories", place.id, read, since);
        },
      ),
    );

  return {
    ...createThreads(options),
    toNewest,
    async open(place) {
      const known = store.getState().histories[place.id];
      if (known === undefined || known.isStale) await toNewest(place);
    },
    jump: (place, messageId, onReply = () => undefined) =>
      queue(`jump ${place.id} ${messageId}`, async () => {
        const history = store.getState().histories[place.id];
        if (history?.isStale === false && history.messages.some(({ id }) => id === messageId)) return;
        const around = async (id: string): Promise<History> => {
          const [message, older, newer] = await Promise.all([
            messageRequests(client, place.kind).get(place.id, id),
            list(place, { before: id }),
            list(place, { after: id }),
          ]);
          const { thread_id: rootId } = message;
          if (rootId !== null) {
            onReply(rootId);
            return around(rootId);
          }
          const middle = keepListed([message]).filter(({ deleted }) => !deleted);
          return windowOf([...newer, ...middle, ...older], { hasOlder: isFull(older), hasNewer: isFull(newer) });
        };
        await store.read(
          () => around(messageId),
          (state, read, since) => withRead(state, "histories", place.id, read, since),
        );
      }),
    older: (place) =>
      queue(`older ${place.id}`, async () => {
        const oldest = store.getState().histories[place.id]?.messages[0];
        if (oldest === undefined) return;
        await store.read(
          () => list(place, { before: oldest.id }),
          (state, page, since) => {
            const history = state.histories[place.id];
            // Another window has replaced this one since the request.
            if (history?.messages[0]?.id !== oldest.id) return state;
            const read = windowOf(page, { hasOlder: isFull(page), hasNewer: true });
            const older = entrySince(state, "histories", place.id, read, since);
            return older === undefined ? state : withEntry(state, "histories", place.id, withOlder(history, older));
          },
        );
      }),
    newer: (place) =>
      queue(`newer ${place.id}`, async () => {
        const newest = store.getState().histories[place.id]?.messages.at(-1);
        if (newest === undefined) return;
        await store.read(
          () => list(place, { after: newest.id }),
          (state, page, since) => {
            const history = state.histories[place.id];
            if (history?.messages.at(-1)?.id !== newest.id) return state;
            const read = windowOf(page, { hasOlder: true, hasNewer: isFull(page) });
            const newer = entrySince(state, "histories", place.id, read, since);
            return newer === undefined ? state : withEntry(state, "histories", place.id, withNewer(history, newer));
          },
        );
      }),
    leave: ({ id }) =>
      store.setState((state) => {
        const history = state.histories[id];
        const kept = history === undefined ? null : afterLeaving(history);
        return { histories: kept === null ? without(state.histories, [id]) : { ...state.histories, [id]: kept } };
      }),
    readPins: (channelId) =>
      queue(`pins ${channelId}`, async () => {
        do {
          await store.read(
            async () => keepListed(await client.pins.list(channelId, listedDetails)),
            (state, read, since) => withRead(state, "pins", channelId, read, since),
          );
          // A change of a pin during the read has removed the list.
        } while (store.getState().pins[channelId] === undefined);
      }),
  };
}
