/** Follow-ups of one bot, and at once. */
export const followUpsPerSecondMax = 50;
/** Answers of one interaction a second, and at once, with any result. */
export const answersPerSecondMax = 10;
/** Most interactions that one statement reads or stores, and statements of a kind at a time. */
export const statementBatchMax = 100;
export const statementsInFlightMax = 2;
/** Time that a gateway process has to answer whether it lives. */
export const gatewayAnswerMs = 300;
