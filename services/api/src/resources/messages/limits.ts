/** Concurrent statements that store messages; messages that arrive meanwhile share the next one. */
export const writesInFlightMax = 2;
/** Most messages that one statement stores. */
export const writeBatchMax = 100;
/** Concurrent statements that read send contexts. */
export const contextReadsInFlightMax = 2;
/** Most send contexts that one statement reads. */
export const contextBatchMax = 100;
/**
 * Reads of reactions and attachments for lists of messages, per process. A read counts every reaction of its messages,
 * of which there may be thousands, so few run at a time: the other database connections stay free for other requests.
 */
export const detailReads = { runningMax: 4, waitingMax: 1_000, waitingPerTenantMax: 100, waitMaxMs: 30_000 } as const;
