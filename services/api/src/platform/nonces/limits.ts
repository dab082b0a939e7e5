/** How long a repeated request finds the message of the first one (docs/protocol/repetition.md#21). */
export const nonceHours = 24;
/** Longer: a nonce that a statement has just met is not removed before the next statement reads it. */
export const nonceExpiredAfterHours = nonceHours + 1;
