import { clientOps, createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Voice, VoiceRights } from "@parley/voice";
import { signalsPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";

/**
 * VOICE_SIGNAL: relayed to every connection of somebody in the same voice channel (docs/interface.md#14.3), if both
 * may be there at this moment: the voice state of somebody who lost that right ends soon, but not at once if a process
 * dies, so each signal asks the database. What is over the user's rate on all nodes together costs no more than asking
 * Redis.
 */
export function createVoiceSignal(options: {
  voice: Pick<Voice, "shareChannel">;
  voiceRights: Pick<VoiceRights, "allow">;
  redis: RedisConnection;
  messaging: Messaging;
}): OpHandler {
  const { voice, voiceRights, redis, messaging } = options;
  const perUser = createTokenBucket({
    redis,
    name: "voice-signal",
    ratePerSecond: signalsPerSecondMax,
    burst: signalsPerSecondMax,
  });
  return async ({ userId }, d) => {
    const signal = clientOps.VOICE_SIGNAL.safeParse(d);
    if (!signal.success || signal.data.to_user_id === userId) return;
    if (!(await perUser.take(userId)).allowed) return;
    const { to_user_id, ...content } = signal.data;
    const channelId = await voice.shareChannel(userId, to_user_id);
    if (channelId === null || !(await voiceRights.allow(channelId, [userId, to_user_id]))) return;
    publishLive(messaging, createEvent("VOICE_SIGNAL", { user_id: to_user_id }, { from_user_id: userId, ...content }));
  };
}
