/**
 * Most bytes of an event's body and headers together. NATS takes 1,048,576 with the subject's own headers
 * (`max_payload` in deploy/nats/nats.conf); an event that it never takes would stay in the outbox for ever.
 */
export const eventBytesMax = 1_000_000;
/** How often the relay looks for events that their writer did not publish. */
export const relayIntervalMs = 500;
/** The relay ignores younger events: their writer is most likely publishing them, and holds their locks. */
export const relayMinAgeMs = 500;
/** Most events that are read and published together when the outbox has unpublished events of earlier writers. */
export const backlogMax = 500;
/** Timeout of the acknowledgements of such events; the relay keeps the locks of their keys meanwhile. */
export const backlogAckTimeoutMs = 1_000;
/** How long NATS may take to answer before the connection counts as lost. */
export const probeTimeoutMs = 250;
/** Pause between two probes of NATS while it is doubtful. */
export const probePauseMs = 250;
/**
 * How long a response to a change of visibility waits until some process has stored its events
 * (docs/architecture.md#guarantees).
 */
export const visibilityWaitMs = 4_000;
/** How often the database is read to see whether another process has published such a change. */
export const visibilityPollMs = 50;
/** Most consecutive writes under the same locks, as other processes may be waiting for these. */
export const writesPerLockMax = 8;
/** How often each process stores a heartbeat to see whether the stream takes messages … */
export const storeCheckIntervalMs = 5_000;
/** … after one that was not stored … */
export const storeCheckRetryMs = 1_000;
/** … and how long the stream may take to store it. */
export const storeCheckTimeoutMs = 1_500;
