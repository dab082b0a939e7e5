/** How long a first connection may take before the process gives up and says so. */
export const connectTimeoutMs = 15_000;
/** A silent NATS server is noticed after this many milliseconds times {@link pingsOutMax}. */
export const pingIntervalMs = 5_000;
/** Unanswered pings after which the connection counts as lost. */
export const pingsOutMax = 2;
/** Pause between attempts to reconnect. */
export const reconnectWaitMs = 250;
/** How long an event may take to be acked by the stream before the writer stops waiting for it (design.md 3.4). */
export const storeAckTimeoutMs = 250;
/** Within this window the stream drops a second event with the same id (design.md 3.3). */
export const duplicateWindowMs = 120_000;
/** Most jobs that may wait in the work queue of deliveries; the next one is refused (contract.md 13.2). */
export const deliveryQueueMax = 10_000;
/** Events that are asked for at once while a gap is filled. */
export const readBatchMax = 500;
/** How long the stream may take to hand over the next events of a gap. */
export const readTimeoutMs = 5_000;
