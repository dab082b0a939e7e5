/** A change that was not confirmed as announced for so long was left by a dead process, and is announced again. */
export const unsaidAfterMs = 10_000;
/** Most forgotten changes that one sweep announces; the next sweep follows soon. */
export const sweepBatchMax = 100;
/** How often an announcement looks whether it has been overtaken; what is still moving then is left to the sweep. */
export const settleAttemptsMax = 10;
/** Voice states whose rights one statement reads. */
export const rightsBatchMax = 200;
/** A server's voice states are checked against rights again after so long, whatever became of the checks at each change. */
export const rightsCheckMs = 30_000;
/** Servers that one round checks; the next round follows soon. */
export const rightsServersMax = 20;
/** Announcements that one look compares with Redis; a look that finds lost states goes on with the next ones at once. */
export const lostBatchMax = 500;
/** While more changes wait to be announced, nothing is judged as lost: one script reads them all. */
export const unsaidReadMax = 1_000;
/**
 * Changes that may wait in Redis to be announced; beyond, joining, changing one's state and going live are refused as
 * unavailable. Only a database that answers but stores nothing lets that many gather.
 */
export const unsaidMax = 20_000;
