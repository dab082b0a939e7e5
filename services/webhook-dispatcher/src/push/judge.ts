import { pushRetryDelaysMs } from "./limits.js";
import type { DeviceOutcome } from "./outcome-rows.js";
import type { PushResult } from "./send-push.js";

/** The consequences of an attempt. */
export interface Verdict {
  outcome: DeviceOutcome;
  /** Milliseconds until the push is tried again; null for never. */
  againMs: number | null;
  /** How often it has failed. */
  failures: number;
}

/**
 * The rules about answers of push services (docs/protocol/notifications.md#26.2).
 *
 * @param failures how often the push had failed before
 */
export function judge({ refused, status, busyMs }: PushResult, failures: number): Verdict {
  if (refused) return { outcome: "unasked", againMs: null, failures };
  if (status === 404 || status === 410) return { outcome: "gone", againMs: null, failures };
  if (busyMs !== null) return { outcome: "failing", againMs: busyMs, failures };
  if (status === null || status >= 500) {
    return { outcome: "failing", againMs: pushRetryDelaysMs[failures] ?? null, failures: failures + 1 };
  }
  const isTaken = status >= 200 && status < 300;
  return { outcome: isTaken ? "taken" : "failing", againMs: null, failures };
}
