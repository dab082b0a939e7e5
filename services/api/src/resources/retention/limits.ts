/** Largest number of days that a server may set (docs/interface.md#18.3). */
export const retentionDaysMax = 3650;
/** Interval at which each process searches all servers for expired messages. */
export const expiryIntervalMs = 3_600_000;
/** Interval at which an idle process looks for channels that any process has noted. */
export const expirationIntervalMs = 2_000;
/** Most messages, with their dependent rows, that one transaction removes: it holds locks on them until its end. */
export const expirationBatchMax = 100;
/** Servers that one statement searches. */
export const serversAtOnce = 50;
