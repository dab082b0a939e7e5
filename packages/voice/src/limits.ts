/** Age, in milliseconds, from which an unconfirmed change counts as left by a dead process and is announced again. */
export const unsaidAfterMs = 10_000;
/** Most unconfirmed changes that one sweep announces; the next sweep announces more. */
export const sweepBatchMax = 100;
/** Most attempts to announce a state that changes again meanwhile; after these it is left to the sweep. */
export const settleAttemptsMax = 10;
/** Voice states whose rights one statement reads. */
export const rightsBatchMax = 200;
/** Milliseconds after which a server's voice states are checked against rights, besides the check at each change. */
export const rightsCheckMs = 30_000;
/** Most servers that one round checks; the next round checks more. */
export const rightsServersMax = 20;
/**
 * Announcements that one step compares with Redis; after a full step that found lost states the next follows at once.
 */
export const lostBatchMax = 500;
/** While more changes are unconfirmed, no state counts as lost: one script reads all of them. */
export const unsaidReadMax = 1_000;
/**
 * Changes that may wait in Redis to be announced; beyond, joining, changing one's state and going live are refused as
 * unavailable. Only a database that answers but stores nothing lets that many gather.
 */
export const unsaidMax = 20_000;
