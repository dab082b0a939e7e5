/** How long S3 may take to accept a connection. */
export const s3ConnectTimeoutMs = 5_000;
/** How long an exchange with S3 may stand still. */
export const s3StandstillTimeoutMs = 30_000;
/** How often a file is tried again when its folder vanishes as it is created. */
export const folderAttemptsMax = 10;
/**
 * Age from which a file that no row names is garbage. An upload writes its rows within the time that a request may take,
 * which is far less.
 */
export const sweepAgeMs = 3_600_000;
/** How often each process looks for garbage. */
export const sweepIntervalMs = 3_600_000;
/** Files that are looked up in the database at a time. */
export const sweepBatchSize = 500;
/** Bytes of files that may pass through the process before it collects the memory that they passed in. */
export const bufferGarbageBytesMax = 4 * 1024 * 1024;
