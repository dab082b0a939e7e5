import { ParleyError } from "@parley/client";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import type { PendingMessage } from "../store/app-state.js";

/** Attempts after which a message that had no answer waits for its author. */
export const attemptsByItselfMax = 6;
/**
 * Age in milliseconds up to which a message is sent again. The server knows a nonce for 24 hours (docs/protocol/repetition.md#21):
 * after that, a message that was stored without an answer would be stored a second time.
 */
export const repeatableMsMax = 23 * 3_600_000;

/** Statuses of an outage; 0 stands for no answer. */
const outages: readonly number[] = [0, 502, 503, 504];
const sessionEnded = 401;

/** An attempt that its author has stopped. */
export class StoppedError extends Error {}

/** The outcome of a message whose attempt failed. */
export function outcomeOf(
  error: unknown,
  { attempts }: Pick<PendingMessage, "attempts">,
): Pick<PendingMessage, "state" | "error"> {
  if (error instanceof StoppedError) return { state: "failed", error: texts.conversation.stopped };
  const said = errorText(error);
  if (!(error instanceof ParleyError)) return { state: "failed", error: said };
  if (outages.includes(error.status) || error.status === sessionEnded) {
    return { state: attempts < attemptsByItselfMax ? "waiting" : "failed", error: said };
  }
  return { state: error.final ? "refused" : "failed", error: said };
}

/** Whether a message may be sent again without becoming two. */
export const isRepeatable = ({ createdAt }: Pick<PendingMessage, "createdAt">, now: number): boolean =>
  now - Date.parse(createdAt) < repeatableMsMax;
