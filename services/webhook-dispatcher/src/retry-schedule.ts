import { attemptsMax } from "./limits.js";

/** Pause after the first, second … failed attempt (docs/interface.md#13.2). */
const delaysMs = [5_000, 15_000] as const;

/**
 * When to try again.
 *
 * @param failedAttempts attempts made so far, at least 1
 * @returns milliseconds from the last failure; null when the delivery has failed for good
 */
export function retryDelayMs(failedAttempts: number): number | null {
  if (failedAttempts >= attemptsMax) return null;
  return delaysMs[failedAttempts - 1] ?? null;
}
