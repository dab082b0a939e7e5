/** Acked rows wait at most this long for their deletion, so that one statement deletes many. */
export const deleteDelayMs = 50;
/** Most rows that one statement deletes. */
export const deleteBatchMax = 1_000;
/** How often the relay looks for rows that nobody published. */
export const sweepIntervalMs = 1_000;
/** A row younger than this is left to its writer, which is publishing it right now. */
export const sweepMinAgeMs = 3_000;
/** Most rows that one sweep publishes; the next follows at once. */
export const sweepBatchMax = 500;
/** How long the relay waits for the stream's ack of a batch. */
export const sweepAckTimeoutMs = 5_000;
/** Pause after a sweep that could not publish. */
export const sweepRetryMs = 250;
