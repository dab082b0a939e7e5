/** Members that are read at a time; the whole list is sent in such pieces. */
export const memberChunkMax = 1_000;
/** Members of a page (docs/interface.md#20.3). */
export const memberPageDefault = 100;
export const memberPageMax = 1_000;
/** Code points of the beginning of a name that is looked for. */
export const namePrefixMax = 100;
/**
 * Reads of lists in one process: few at a time, so that long lists leave the database connections to the others. Each
 * list
 * under way has at most one read waiting.
 */
export const memberReads = { runningMax: 2, waitingMax: 1_000, waitingPerUserMax: 100, waitMaxMs: 30_000 } as const;
/** How long a number of connected members is told again; the contract allows 5 seconds. */
export const countAgeMaxMs = 4_000;
/** Servers whose numbers are kept. */
export const countsKeptMax = 1_000;
