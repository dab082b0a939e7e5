import { clientOps, createEvent } from "@parley/contracts";
import { type Messaging, publishLive } from "@parley/messaging";
import type { Voice } from "@parley/voice";
import type { OpHandler } from "../client-messages.js";

/** VOICE_SIGNAL: relayed to every connection of somebody in the same voice channel (contract.md 14.3). */
export function createVoiceSignal(options: { voice: Pick<Voice, "shareChannel">; messaging: Messaging }): OpHandler {
  const { voice, messaging } = options;
  return async ({ userId }, d) => {
    const signal = clientOps.VOICE_SIGNAL.safeParse(d);
    if (!signal.success || signal.data.to_user_id === userId) return;
    const { to_user_id, ...content } = signal.data;
    if ((await voice.shareChannel(userId, to_user_id)) === null) return;
    publishLive(messaging, createEvent("VOICE_SIGNAL", { user_id: to_user_id }, { from_user_id: userId, ...content }));
  };
}
