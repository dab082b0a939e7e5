/** Statements that store messages at the same time; what arrives meanwhile is stored together by the next one. */
export const writesInFlightMax = 2;
/** Most messages that one statement stores. */
export const writeBatchMax = 100;
/** Statements at the same time that read what messages need before they are stored. */
export const contextReadsInFlightMax = 2;
/** Most messages that one such statement reads about. */
export const contextBatchMax = 100;
