import { clientOps, createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Voice, VoiceRights } from "@parley/voice";
import { signalsPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";

/**
 * VOICE_SIGNAL: relayed to every connection of a user in the same voice channel (docs/protocol/connecting.md#14.3), if both users
 * have the right to be there. The voice state of a user who lost the right may last some seconds if a process dies, so
 * the rights are read from the database for each signal. Signals above the user's rate, which Redis counts over all
 * nodes, are dropped before that.
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
