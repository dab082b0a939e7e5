import type { Message, ParleyClient, Thread } from "@parley/client";
import type { RequestQueue } from "../platform/request-queue.js";
import type { AppState, ThreadState } from "../store/app-state.js";
import { type AppStore, withRead } from "../store/app-store.js";
import type { History } from "../store/history.js";
import type { Details } from "./details.js";
import { listedDetails } from "./listed-details.js";

/** Reads threads. */
export interface Threads {
  /** Reads the replies of a thread, and its root unless the history has it. */
  openThread(channelId: string, rootId: string): Promise<void>;
  /** Reads title and end of a thread with replies, and of those with later replies in its channel. */
  readThreadState(serverId: string, channelId: string, rootId: string): Promise<void>;
}

const pageSize = 100;
/** Pages that are searched for the state of one thread: it stands in lists only. */
const statePagesMax = 10;

/** Makes {@link Threads}. */
export function createThreads(options: {
  client: ParleyClient;
  store: AppStore;
  queue: RequestQueue;
  keepListed: Details["keepListed"];
}): Threads {
  const { client, store, queue, keepListed } = options;
  const readRoot = (channelId: string, rootId: string) =>
    store.read(
      async () => keepListed([await client.messages.get(channelId, rootId, listedDetails)]),
      (state, [root = null], since) => withRead(state, "quoted", rootId, root, since),
    );
  const listReplies = async (channelId: string, rootId: string): Promise<Message[]> => {
    const replies: Message[] = [];
    for (;;) {
      const after = replies.at(-1)?.id;
      const page = await client.threads.list(channelId, rootId, { limit: pageSize, after, ...listedDetails });
      replies.push(...keepListed(page));
      if (page.length < pageSize) return replies;
    }
  };
  return {
    openThread: (channelId, rootId) =>
      queue(`thread ${rootId}`, async () => {
        const { histories, quoted } = store.getState();
        const isInHistory = histories[channelId]?.messages.some(({ id }) => id === rootId) === true;
        if (!isInHistory && !quoted[rootId]) await readRoot(channelId, rootId);
        await store.read(
          () => listReplies(channelId, rootId),
          (state, messages, since) => {
            const read: History = { messages, hasOlder: false, hasNewer: false, isStale: false };
            return withRead(state, "threads", rootId, read, since);
          },
        );
      }),
    readThreadState: (serverId, channel_id, rootId) =>
      queue(`state of thread ${rootId}`, async () => {
        let before: string | undefined;
        for (let page = 0; page < statePagesMax; page += 1) {
          const query = { channel_id, limit: pageSize, before };
          let last: string | undefined;
          await store.read(
            async () => (await client.threads.find(serverId, query)).threads,
            (state, threads, since) => {
              last = threads.length === pageSize ? threads.at(-1)?.id : undefined;
              return { threadStates: since(withThreadStates(state, threads)).threadStates };
            },
          );
          if (last === undefined || store.getState().threadStates[rootId] !== undefined) return;
          before = last;
        }
      }),
  };
}

/** The state with titles and ends of threads. */
const withThreadStates = (state: AppState, threads: readonly Pick<Thread, "id" | keyof ThreadState>[]): AppState => ({
  ...state,
  threadStates: {
    ...state.threadStates,
    ...Object.fromEntries(threads.map(({ id, title, closed }) => [id, { title, closed }])),
  },
});

/** THREAD_UPDATE, and the answer to a change. */
export const onThread = (state: AppState, thread: Pick<Thread, "id" | keyof ThreadState>): AppState =>
  withThreadStates(state, [thread]);
