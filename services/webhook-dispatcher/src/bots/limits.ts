import { firstAnswerSeconds } from "@parley/interactions";
import type { SchedulerLimits } from "../attempts/limits.js";

/** From dialling a bot to the end of its answer (docs/protocol/apps.md#25.3). */
export const interactionTimeoutMs = firstAnswerSeconds * 1_000;
/** Most bytes of such an answer; the longest that fits is a few times shorter. */
export const interactionAnswerBytesMax = 128 * 1024;
/**
 * Slots of interactions, apart from deliveries, so that neither waits for the other. An interaction that waited for so
 * long has expired.
 */
export const interactionSlots: SchedulerLimits = {
  atOnceMax: 1_024,
  perReceiverMax: 32,
  untrustedMax: 768,
  slowMax: 512,
  waitingMaxMs: interactionTimeoutMs,
};
/** Interval of the check for interactions that expire while they wait for a slot. */
export const interactionCheckMs = 500;
/** How long requests to bots may still take when the process stops. */
export const interactionDrainTimeoutMs = interactionTimeoutMs + 500;
