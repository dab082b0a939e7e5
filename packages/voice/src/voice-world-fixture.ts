import { subjects } from "@parley/contracts";
import { connectDatabase } from "@parley/database/prisma";
import { connectMessaging, defaultStreamSettings, ensureStreams, subscribeLive } from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { z } from "zod";
import { createVoiceReconciliation } from "./reconciliation.js";
import { createVoice } from "./voice.js";

const logger = { info: () => {}, warn: () => {} };
const Frame = z.object({
  t: z.string(),
  d: z.object({
    channel_id: z.string().nullable(),
    user_id: z.string().optional(),
    broadcaster_id: z.string().optional(),
  }),
});

/** A UUID that ends with the name, which is of hexadecimal digits. */
export const idOf = (name: string) => `00000000-0000-4000-8000-${name.padStart(12, "0")}`;

export type VoiceWorld = Awaited<ReturnType<typeof startVoiceWorld>>;

/** Real servers, and voice as two processes have it, each with a Redis connection of its own. */
export async function startVoiceWorld() {
  const [testDatabase, redisServer, natsServer] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 10, applicationName: "test", logger });
  const messaging = await connectMessaging({ url: natsServer.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  const outbox = createOutbox({ database, messaging, logger });
  const otherOutbox = createOutbox({ database, messaging, logger });
  const connect = () => connectRedis({ url: redisServer.url, name: "test", logger });
  const [redis, otherRedis] = await Promise.all([connect(), connect()]);
  /** Every event in the order of the stream: `<channel that receives it> <event> <channel it names>`. */
  const heard: string[] = [];
  /** The same of each user: `<channel that receives it> <event> <channel it names>`. */
  const heardOf = new Map<string, string[]>();
  subscribeLive(messaging, subjects.allLive, ({ address, body }) => {
    if (address.scope.kind !== "server") return;
    const { t, d } = Frame.parse(JSON.parse(new TextDecoder().decode(body)));
    const event = `${address.scope.channelId} ${t} ${d.channel_id}`;
    heard.push(event);
    const userId = d.user_id ?? d.broadcaster_id ?? "";
    heardOf.set(userId, [...(heardOf.get(userId) ?? []), event]);
  });
  return {
    redis,
    otherRedis,
    redisServer,
    outbox,
    heard,
    heardOf,
    /** Resolves when everything that is stored so far has been received. */
    hearAll: () => messaging.ping(1000),
    voice: createVoice({ redis, outbox }),
    otherNode: createVoice({ redis: otherRedis, outbox }),
    reconciliation: createVoiceReconciliation({ database, redis, outbox }),
    otherReconciliation: createVoiceReconciliation({ database, redis: otherRedis, outbox: otherOutbox }),
    /** The last announcement to clients: `<kind> <channel> <user>`. */
    recorded: async () =>
      (await database.prisma.voiceAnnouncement.findMany()).map(
        ({ kind, channel_id, user_id }) => `${kind} ${channel_id} ${user_id}`,
      ),
    deleteRecorded: async () => {
      await database.prisma.voiceAnnouncement.deleteMany();
    },
    stop: async () => {
      await Promise.all([outbox.close(), otherOutbox.close()]);
      await Promise.all([messaging.close(), database.close(), redis.close(), otherRedis.close()]);
      await Promise.all([redisServer.stop(), natsServer.stop(), testDatabase.drop()]);
    },
  };
}
