import type { Message, ParleyClient } from "@parley/client";
import type { RequestQueue } from "../platform/request-queue.js";
import { type AppStore, withRead } from "../store/app-store.js";
import type { History } from "../store/history.js";
import type { Details } from "./details.js";
import { listedDetails } from "./listed-details.js";

/** Reads threads. */
export interface Threads {
  /** Reads the replies of a thread, and its root unless the history has it. */
  openThread(channelId: string, rootId: string): Promise<void>;
}

const pageSize = 100;

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
  };
}
