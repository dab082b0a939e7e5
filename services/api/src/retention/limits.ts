/** Days that may be set (docs/interface.md#18.3). */
export const retentionDaysMax = 3650;
/** How often each process looks for messages that have outlived their days. */
export const expiryIntervalMs = 3_600_000;
/** How often it asks whether another one has found some. */
export const expirationIntervalMs = 2_000;
/** Messages removed in one transaction, with what hangs on them: short, so that nobody notices its locks. */
export const expirationBatchMax = 100;
/** Servers looked through in one statement. */
export const serversAtOnce = 50;
