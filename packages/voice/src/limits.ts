/** Age, in milliseconds, from which an unpublished change counts as left by a dead process and is published again. */
export const republishAfterMs = 10_000;
/** Most unpublished changes that one call publishes; the next call publishes more. */
export const republishBatchMax = 100;
/** Most attempts to publish a state that changes again meanwhile; after these `republish` does it. */
export const publishAttemptsMax = 10;
/** Voice states whose rights one statement reads. */
export const rightsBatchMax = 200;
/** Milliseconds after which a server's voice states are checked against rights, besides the check at each change. */
export const rightsCheckMs = 30_000;
/** Most servers that one round checks; the next round checks more. */
export const rightsServersMax = 20;
/** Announcements that are compared with Redis at a time; after a full batch that had differences the next follows. */
export const reconciledBatchMax = 500;
/** While more changes are unpublished, all states count as such: one script reads all of them. */
export const unpublishedReadMax = 1_000;
/**
 * Unpublished changes in Redis; beyond, joining, changing one's state and going live are refused as unavailable. Only a
 * database that answers but stores nothing lets that many gather.
 */
export const unpublishedMax = 20_000;
