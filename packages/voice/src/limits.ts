/** A change that nobody confirmed as announced for so long was left by a dead process, and is announced again. */
export const unsaidAfterMs = 10_000;
/** Most forgotten changes that one sweep announces; the next sweep follows soon. */
export const sweepBatchMax = 100;
/** How often an announcement looks whether it has been overtaken; what is still moving then is left to the sweep. */
export const settleAttemptsMax = 10;
