/** How often the relay looks for events that their writer did not publish. */
export const sweepIntervalMs = 500;
/** Younger events are most likely being published by their writer; trying their locks would only contend with it. */
export const sweepMinAgeMs = 500;
/** Most events that are published together when older ones were left behind. */
export const leftBehindMax = 500;
/** How long the acks of events that were left behind may take; the locks of their keys are held meanwhile. */
export const leftBehindAckTimeoutMs = 1_000;
/** How long NATS may take to answer before the connection counts as lost. */
export const probeTimeoutMs = 250;
/** Pause between two probes of NATS while it is doubtful. */
export const probePauseMs = 250;
/** How long a response to a change of visibility waits until some process has stored its events (docs/architecture.md#guarantees). */
export const visibilityWaitMs = 4_000;
/** How often the database is read to see whether another process has published such a change. */
export const visibilityPollMs = 50;
/** Most writes one after the other under the same locks, while other processes may be waiting for them. */
export const writesPerLockMax = 8;
