import { clientOps, createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import type { Voice, VoiceRights } from "@parley/voice";
import type { OpHandler } from "../session/client-messages.js";

/**
 * VOICE_SIGNAL: relayed to every connection of somebody in the same voice channel (docs/interface.md#14.3), if both may
 * be
 * there at this moment: the voice state of somebody who lost that right ends soon, but not at once if a process dies.
 */
export function createVoiceSignal(options: {
  voice: Pick<Voice, "shareChannel">;
  voiceRights: Pick<VoiceRights, "allow">;
  messaging: Messaging;
}): OpHandler {
  const { voice, voiceRights, messaging } = options;
  return async ({ userId }, d) => {
    const signal = clientOps.VOICE_SIGNAL.safeParse(d);
    if (!signal.success || signal.data.to_user_id === userId) return;
    const { to_user_id, ...content } = signal.data;
    const channelId = await voice.shareChannel(userId, to_user_id);
    if (channelId === null || !(await voiceRights.allow(channelId, [userId, to_user_id]))) return;
    publishLive(messaging, createEvent("VOICE_SIGNAL", { user_id: to_user_id }, { from_user_id: userId, ...content }));
  };
}
