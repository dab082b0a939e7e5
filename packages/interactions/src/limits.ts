/** How long a bot has for its first answer (docs/protocol/apps.md#25.3). */
export const firstAnswerSeconds = 3;
/** For how long after the request an interaction is answered, read and kept. */
export const interactionMinutes = 15;
/** Most interactions that one statement claims. */
export const claimBatchMax = 100;
/** Most interactions that one statement of a sweep takes. */
export const sweepBatchMax = 500;
/** A gateway process that has interactions for longer than this is asked whether it lives. */
export const unansweredSeconds = 0.3;
/** After this time another process announces a state that was stored and not announced. */
export const announceAfterSeconds = 1;
