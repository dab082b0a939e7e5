/** Statements that store messages at the same time; what arrives meanwhile is stored together by the next one. */
export const writesInFlightMax = 2;
/** Most messages that one statement stores. */
export const writeBatchMax = 100;
/** Statements at the same time that read what messages need before they are stored. */
export const contextReadsInFlightMax = 2;
/** Most messages that one such statement reads about. */
export const contextBatchMax = 100;
/**
 * Reads of reactions and attachments for lists of messages, in one process: a list of messages that thousands reacted to
 * counts them all, so few at a time leave the database connections to the others.
 */
export const detailReads = { runningMax: 4, waitingMax: 1_000, waitingPerTenantMax: 100, waitMaxMs: 30_000 } as const;
