import type { Logger } from "@parley/service-runtime";
import type { VoiceRights } from "@parley/voice";
import { voiceSweepMs } from "../limits.js";

/**
 * Ends the voice states of those who lost their rights and whom the process that took them could not end any more. All
 * gateways share the work.
 *
 * @returns stops the sweep; resolves when the round under way is done
 */
export function startVoiceSweep(options: {
  voiceRights: Pick<VoiceRights, "enforceAll">;
  logger: Logger;
}): () => Promise<void> {
  const { voiceRights, logger } = options;
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    round ??= voiceRights
      .enforceAll()
      .catch((err: unknown) => logger.warn({ err }, "voice rights could not be checked; the next round tries again"))
      .finally(() => {
        round = null;
      });
  }, voiceSweepMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
