import { attemptTimeoutMs, type SchedulerLimits } from "../attempts/limits.js";

/** An account with a connection may be about to read a message: its devices wait for this long (docs/protocol/notifications.md#26.2). */
export const readingTimeMs = 5_000;
/** After a push of a channel, its messages within this time become one push (docs/protocol/notifications.md#26.2). */
export const mergePauseMs = 5_000;
/** How long push services keep a push for a device that is off (docs/protocol/notifications.md#26.2). */
export const pushTtlSeconds = 24 * 60 * 60;
/** Delays of the attempts after the first one, when there was no answer or one of 5xx (docs/protocol/notifications.md#26.2). */
export const pushRetryDelaysMs: readonly number[] = [5_000, 30_000, 5 * 60_000];
/** The pause of a push service that answers 429 without a time, and the longest that its answer may ask for. */
export const busyServiceMs = 60_000;
export const busyServiceMaxMs = pushTtlSeconds * 1000;
/** A device without success for this long is removed (docs/protocol/notifications.md#26.2). */
export const failingDaysMax = 5;
/** Most characters of a message's text in a push (docs/protocol/notifications.md#26.2). */
export const pushTextMax = 200;
/** Pushes of a mention of everyone become due at this pace, so that other mentions are sent between. */
export const broadcastPerSecond = 1_000;

/** Most devices that this process has claimed. */
export const claimedMax = 1_000;
/** Slots of pushes; the receiver is the push service, which many devices share. */
export const pushSlots: SchedulerLimits = {
  atOnceMax: 512,
  perReceiverMax: 256,
  untrustedMax: 384,
  slowMax: 256,
  waitingMaxMs: 3_000,
  heldMax: claimedMax,
};
/** A push service that hangs is left alone for this long, twice as long each further time, up to the maximum. */
export const pushServicePauseMs = 5_000;
export const pushServicePauseMaxMs = 60_000;
/** Nobody else sends to a claimed device for this long: longer than it can wait here and be sent to. */
export const pushLeaseMs = pushSlots.waitingMaxMs + 2 * attemptTimeoutMs;
/** Interval of the check for due pushes. */
export const pushIntervalMs = 250;
/** How long pushes under way may still take when the process stops. */
export const pushDrainTimeoutMs = attemptTimeoutMs + 1_000;
/** Messages that this process may have unacked, of each consumer. */
export const pushEventsHandledMax = 1_000;
/** Most messages, direct messages or marks that one statement looks up. */
export const pushBatchMax = 100;
/** How long a key pair that was read is used, and a header that was signed with it; the latter is valid for twice as long. */
export const keyKeptMs = 60_000;
export const vapidHeaderKeptMs = 6 * 60 * 60_000;
/** Most push services whose header is kept. */
export const vapidHeadersMax = 1_000;
