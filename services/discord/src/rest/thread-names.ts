import { createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import type { RedisConnection } from "@parley/redis";

const keptSeconds = 86_400;

/** Names of threads that a bot has started, until their first reply: the api keeps names of threads with replies alone. */
export type ThreadNames = ReturnType<typeof createThreadNames>;

export function createThreadNames({ redis }: { redis: Pick<RedisConnection, "client"> }) {
  const keyOf = (rootId: string) => `discord:thread-name:${rootId}`;
  return {
    /** Keeps the name of a thread that begins. @returns whether it had none */
    begin: async (rootId: string, name: string): Promise<boolean> =>
      (await redis.client.set(keyOf(rootId), name, "EX", keptSeconds, "NX")) !== null,
    async keep(rootId: string, name: string): Promise<void> {
      await redis.client.set(keyOf(rootId), name, "EX", keptSeconds);
    },
    read: (rootId: string): Promise<string | null> => redis.client.get(keyOf(rootId)),
    async forget(rootId: string): Promise<void> {
      await redis.client.del(keyOf(rootId));
    },
  };
}

/** Tells bots of a thread that one of them has started, and that nobody has replied in yet. */
export type AnnounceThread = ReturnType<typeof createAnnounceThread>;

/** While NATS is out of reach nobody is notified: clients get the thread with its first reply. */
export const createAnnounceThread =
  (messaging: Messaging) =>
  ({ server_id, ...thread }: { id: string; channel_id: string; server_id: string; title: string }): void => {
    const { channel_id } = thread;
    if (messaging.connected) publishLive(messaging, createEvent("THREAD_START", { server_id, channel_id }, thread));
  };
