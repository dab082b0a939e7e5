/** How long `connectRedis` waits for the first connection before the service starts without Redis. */
export const firstConnectionTimeoutMs = 3_000;

/** How long opening a socket to Redis may take. */
export const connectTimeoutMs = 2_000;

/** Milliseconds after which a command without a reply is rejected; Redis may still have run it. */
export const commandTimeoutMs = 1_000;

/** Milliseconds without data after which a connection with outstanding replies is closed and opened again. */
export const silentSocketTimeoutMs = 3_000;

/** The longest pause between two attempts to reconnect. */
export const reconnectDelayMaxMs = 1_000;

/** How long `close` waits for the replies of commands under way. */
export const quitTimeoutMs = 1_000;

/** Milliseconds after a failed call during which the buckets of this process decide, before Redis is tried again. */
export const bucketFallbackMs = 250;

/** Most keys of the local buckets of one process during an outage of Redis; the least recently used are dropped. */
export const localBucketKeysMax = 100_000;

/** Most takes from buckets that one call of the script makes; those of one turn of the event loop share a call. */
export const takesPerCallMax = 100;
