/** How long a caller waits for a connection of the pool, new or free again. */
export const connectTimeoutMs = 5_000;
/** How long a server may take to accept a connection, its name included, before the next caller tries anew. */
export const dialTimeoutMs = 1_000;
/** How long the system may take to look up a name before the name servers are asked beside it. */
export const lookupHeadStartMs = 200;
/** How long one of several hosts may take to accept a connection, or to say whether it takes writes. */
export const hostTimeoutMs = 3_000;
/** Pause before a host that is read-only is asked again, while another one has not answered. */
export const hostPauseMs = 100;
/** A pooled connection that was idle for this long is closed. */
export const idleConnectionTimeoutMs = 30_000;
/** Default of `statementTimeoutMs`: PostgreSQL ends a statement that takes longer. */
export const statementTimeoutDefaultMs = 15_000;
/** Added to the statement timeout before the client cancels by itself, for a server that no longer answers at all. */
export const answerGraceMs = 2_000;
/** Work inside an interactive transaction; it holds a connection and row locks. */
export const transactionTimeoutMs = 10_000;
/** Attempts of a transaction that deadlocks with others. */
export const transactionAttemptsMax = 3;
/** Longest pause before such a transaction is tried again. */
export const conflictPauseMsMax = 20;
/** How long a runner waits for another one that is migrating. */
export const migrationLockTimeoutMs = 120_000;
/** How long a process waits at its start for the migration job; less than the 60 s after which orchestrators restart it. */
export const migrationWaitMs = 30_000;
/** Pause between two checks whether the migration job is done. */
export const migrationLookMs = 500;
/** PostgreSQL cuts the names of prepared statements off here. */
export const statementNameBytesMax = 63;
