/** Statements that store messages at the same time; what arrives meanwhile is stored together by the next one. */
export const writesInFlightMax = 2;
/** Most messages that one statement stores. */
export const writeBatchMax = 100;
