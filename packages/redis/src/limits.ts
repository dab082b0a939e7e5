/** How long `connectRedis` waits for the first connection before the service starts without Redis. */
export const firstConnectionTimeoutMs = 3_000;

/** How long opening a socket to Redis may take. */
export const connectTimeoutMs = 2_000;

/** A command without a reply for so long is rejected; Redis may still have run it. */
export const commandTimeoutMs = 1_000;

/** A connection that owes replies and is silent for so long is dropped and opened anew. */
export const silentSocketTimeoutMs = 3_000;

/** The longest pause between two attempts to reconnect. */
export const reconnectDelayMaxMs = 1_000;

/** How long `close` waits for the replies of commands under way. */
export const quitTimeoutMs = 1_000;

/** After a failed call the buckets of this process decide for so long before Redis is tried again. */
export const bucketFallbackMs = 250;

/** Most keys that the buckets of one process remember while Redis is away; the longest unused are forgotten. */
export const localBucketKeysMax = 100_000;
