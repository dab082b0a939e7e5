/** Rows that one statement of a deletion changes. */
export const deletionBatchMax = 500;
/** For how long a process has a deletion to itself; it renews this with every step. */
export const claimSeconds = 60;
/** Interval at which each process looks for deletions that another process left unfinished. */
export const deletionIntervalMs = 5_000;
/** How long a request waits for the deletion that it began; the rest is removed after the answer. */
export const deletionWaitMs = 5_000;
