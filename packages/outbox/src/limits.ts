/** How often the relay looks for events that nobody published. */
export const sweepIntervalMs = 500;
/** Younger events are surely still with their writer; asking for their locks would only disturb it. */
export const sweepMinAgeMs = 500;
/** Most events that are published together when older ones were left behind. */
export const leftBehindMax = 500;
/** How long the acks of events that were left behind may take; the locks of their keys are held meanwhile. */
export const leftBehindAckTimeoutMs = 1_000;
/** How long NATS may take to answer before the way to it counts as lost. */
export const probeTimeoutMs = 250;
/** Pause between two questions whether the way to NATS is there again. */
export const probePauseMs = 250;
/** How long the answer to a change of visibility waits for the stream, through whichever process (README, promises). */
export const visibilityWaitMs = 4_000;
/** How often it is looked whether another process has published such a change. */
export const visibilityPollMs = 50;
/** Most writes one after the other under the same locks, while other processes may be waiting for them. */
export const writesPerLockMax = 8;
