/** How long a repeated request finds the message of the first one (docs/interface.md#21). */
export const nonceHours = 24;
/** Longer: a nonce that a statement has just met is not removed before the next statement reads it. */
export const nonceRemovedAfterHours = nonceHours + 1;
/**
 * How long a message may take from the first verdict of auto-moderation to the last, beyond the time that the verdicts
 * themselves may take. A request with the same nonce waits no longer for it.
 */
export const nonceTurnMs = 4_000;
/** Pause between two looks at a turn that another request has. */
export const nonceTurnPollMs = 20;
