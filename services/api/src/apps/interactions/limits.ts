/** How long a bot has for its first answer (docs/interface.md#25.3). */
export const firstAnswerSeconds = 3;
/** For how long after the request an interaction is answered, read and kept. */
export const interactionMinutes = 15;
/** Follow-ups of one bot, and at once. */
export const followUpsPerSecondMax = 50;
/** Answers of one interaction, and at once, whatever comes of them. */
export const answersPerSecondMax = 10;
/** Most interactions that one statement reads or stores, and statements of a kind at a time. */
export const statementBatchMax = 100;
export const statementsInFlightMax = 2;
/** Most interactions that one statement of a sweep takes. */
export const sweepBatchMax = 500;
/** A gateway process that has interactions for longer than this is asked whether it lives … */
export const unansweredSeconds = 0.3;
/** … and has this long to answer. */
export const gatewayAnswerMs = 300;
