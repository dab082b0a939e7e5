import type { Message, ParleyClient } from "@parley/client";
import type { Details } from "./details.js";
import { fromDirectMessage } from "./direct-message.js";
import { afterLeaving, type History, windowOf, withNewer, withOlder } from "./history.js";
import { listedDetails } from "./listed-details.js";
import { without } from "./page-state.js";
import type { PageStore } from "./page-store.js";
import type { RequestQueue } from "./request-queue.js";

/** A channel of a server, or one of direct messages. */
export interface Place {
  kind: "channel" | "direct";
  id: string;
}

/** Reads histories. */
export interface Histories {
  /** Shows the newest messages; what is known already and not stale is not read again. */
  open(place: Place): Promise<void>;
  /** Moves the window to a message and what is around it. */
  jump(channelId: string, messageId: string): Promise<void>;
  /** Moves the window to the newest messages. */
  toNewest(place: Place): Promise<void>;
  older(place: Place): Promise<void>;
  newer(place: Place): Promise<void>;
  /** Shortens what nobody looks at any more. */
  leave(place: Place): void;
  /** Reads the replies of a thread, and its root unless the history has it. */
  openThread(channelId: string, rootId: string): Promise<void>;
  /** Reads the pins of a channel. */
  readPins(channelId: string): Promise<void>;
}

const pageSize = 50;

/** Makes {@link Histories}. */
export function createHistories(options: {
  client: ParleyClient;
  store: PageStore;
  queue: RequestQueue;
  keepListed: Details["keepListed"];
}): Histories {
  const { client, store, queue, keepListed } = options;
  const list = async (place: Place, cursor: { before?: string; after?: string }): Promise<Message[]> => {
    if (place.kind === "channel") {
      return keepListed(await client.messages.list(place.id, { limit: pageSize, ...listedDetails, ...cursor }));
    }
    const { before } = cursor;
    return (await client.directMessages.list(place.id, { limit: pageSize, before })).map(fromDirectMessage);
  };
  const put = (id: string, change: (history: History | undefined) => History | undefined) =>
    store.setState((state) => {
      const history = change(state.histories[id]);
      return history === undefined ? state : { histories: { ...state.histories, [id]: history } };
    });
  const toNewest = (place: Place) =>
    queue(`newest ${place.id}`, async () => {
      const page = await list(place, {});
      put(place.id, (known) => afterReading(known, page));
    });

  return {
    toNewest,
    async open(place) {
      const known = store.getState().histories[place.id];
      if (known === undefined || known.isStale) await toNewest(place);
    },
    jump: (channelId, messageId) =>
      queue(`jump ${channelId} ${messageId}`, async () => {
        const history = store.getState().histories[channelId];
        if (history?.isStale === false && history.messages.some(({ id }) => id === messageId)) return;
        const [message, older, newer] = await Promise.all([
          client.messages.get(channelId, messageId, listedDetails),
          list({ kind: "channel", id: channelId }, { before: messageId }),
          list({ kind: "channel", id: channelId }, { after: messageId }),
        ]);
        const middle = message.deleted || message.thread_id !== null ? [] : keepListed([message]);
        const edges = { hasOlder: older.length === pageSize, hasNewer: newer.length === pageSize };
        put(channelId, () => windowOf([...newer, ...middle, ...older], edges));
      }),
    older: (place) =>
      queue(`older ${place.id}`, async () => {
        const oldest = store.getState().histories[place.id]?.messages[0];
        if (oldest === undefined) return;
        const page = await list(place, { before: oldest.id });
        put(place.id, (history) =>
          // Another window took its place meanwhile.
          history?.messages[0]?.id === oldest.id ? withOlder(history, page, page.length === pageSize) : undefined,
        );
      }),
    newer: (place) =>
      queue(`newer ${place.id}`, async () => {
        const newest = store.getState().histories[place.id]?.messages.at(-1);
        if (newest === undefined) return;
        const page = await list(place, { after: newest.id });
        put(place.id, (history) =>
          history?.messages.at(-1)?.id === newest.id ? withNewer(history, page, page.length === pageSize) : undefined,
        );
        // A message that was sent while the last page was read was not added, as the window did not reach the newest.
        if (page.length < pageSize && page.length > 0) await catchUp(place);
      }),
    leave: ({ id }) =>
      store.setState((state) => {
        const history = state.histories[id];
        const kept = history === undefined ? null : afterLeaving(history);
        return { histories: kept === null ? without(state.histories, [id]) : { ...state.histories, [id]: kept } };
      }),
    openThread: (channelId, rootId) =>
      queue(`thread ${rootId}`, async () => {
        const { histories, quoted } = store.getState();
        const isKnown = histories[channelId]?.messages.some(({ id }) => id === rootId) === true || quoted[rootId];
        if (!isKnown) {
          const root = await client.messages.get(channelId, rootId, listedDetails);
          const [message = root] = keepListed([root]);
          store.setState((state) => ({ quoted: { ...state.quoted, [rootId]: message } }));
        }
        const replies: Message[] = [];
        for (;;) {
          const page = await client.threads.list(channelId, rootId, {
            limit: 100,
            after: replies.at(-1)?.id,
            ...listedDetails,
          });
          replies.push(...keepListed(page));
          if (page.length < 100) break;
        }
        const thread = { messages: replies, hasOlder: false, hasNewer: false, isStale: false };
        store.setState((state) => ({ threads: { ...state.threads, [rootId]: thread } }));
      }),
    readPins: (channelId) =>
      queue(`pins ${channelId}`, async () => {
        const pins = keepListed(await client.pins.list(channelId, listedDetails));
        store.setState((state) => ({ pins: { ...state.pins, [channelId]: pins } }));
      }),
  };

  async function catchUp(place: Place): Promise<void> {
    const newest = store.getState().histories[place.id]?.messages.at(-1);
    if (newest === undefined) return;
    const page = await list(place, { after: newest.id });
    put(place.id, (history) =>
      history === undefined ? undefined : withNewer(history, page, page.length === pageSize),
    );
  }
}

/** The newest page; messages that events brought while it was read are kept. */
function afterReading(known: History | undefined, page: readonly Message[]): History {
  const next = windowOf(page, { hasOlder: page.length === pageSize, hasNewer: false });
  if (known === undefined || known.isStale || known.hasNewer) return next;
  const newest = next.messages.at(-1);
  const arrived = known.messages.filter(({ id }) => newest === undefined || id > newest.id);
  return { ...next, messages: [...next.messages, ...arrived] };
}
