import { type Operation, runOperation } from "@parley/messaging";
import { type Logger, repeat } from "@parley/service-runtime";
import type { VoiceReconciliation, VoiceRights } from "@parley/voice";
import { voiceSweepMs } from "../limits.js";

const sweep: Operation = { name: "voice sweep", causes: ["VOICE_STATE_UPDATE", "GO_LIVE_STOP"] };

/**
 * Periodically ends voice states of users without the right to them, for processes that died after changing rights, and
 * announces the end of voice states and broadcasts that Redis has lost. All gateways share the work.
 *
 * @returns stops the sweep; resolves when the round under way is done
 */
export function startVoiceSweep(options: {
  voiceRights: Pick<VoiceRights, "enforceAll">;
  voiceReconciliation: VoiceReconciliation;
  logger: Logger;
}): () => Promise<void> {
  const { voiceRights, voiceReconciliation, logger } = options;
  const work = async () => {
    try {
      await voiceRights.enforceAll();
      const corrected = await voiceReconciliation.reconcile();
      if (corrected > 0)
        logger.warn({ corrected }, "announced the end of voice states and broadcasts that Redis has lost");
    } catch (err) {
      logger.warn({ err }, "voice could not be swept; the next round tries again");
    }
  };
  return repeat(() => runOperation(sweep, work), voiceSweepMs);
}
