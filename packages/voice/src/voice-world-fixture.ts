import { subjects } from "@parley/contracts";
import { connectDatabase } from "@parley/database";
import { connectMessaging, defaultStreamSettings, ensureStreams, subscribeLive } from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { z } from "zod";
import { createVoice } from "./voice.js";

const logger = { info: () => {}, warn: () => {} };
const Frame = z.object({ t: z.string(), d: z.object({ channel_id: z.string().nullable() }) });

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
  const connect = () => connectRedis({ url: redisServer.url, name: "test", logger });
  const [redis, otherRedis] = await Promise.all([connect(), connect()]);
  /** Every event in the order of the stream: `<channel that hears it> <event> <channel it names>`. */
  const heard: string[] = [];
  subscribeLive(messaging, subjects.allLive, ({ address, body }) => {
    if (address.scope.kind !== "server") return;
    const { t, d } = Frame.parse(JSON.parse(new TextDecoder().decode(body)));
    heard.push(`${address.scope.channelId} ${t} ${d.channel_id}`);
  });
  return {
    redis,
    otherRedis,
    redisServer,
    outbox,
    heard,
    /** Resolves when everything that is stored so far has been heard. */
    hearAll: () => messaging.ping(1000),
    voice: createVoice({ redis, outbox }),
    otherNode: createVoice({ redis: otherRedis, outbox }),
    stop: async () => {
      await outbox.close();
      await Promise.all([messaging.close(), database.close(), redis.close(), otherRedis.close()]);
      await Promise.all([redisServer.stop(), natsServer.stop(), testDatabase.drop()]);
    },
  };
}
