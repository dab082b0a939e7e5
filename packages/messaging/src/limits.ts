/** How long a first connection may take before it fails. */
export const connectTimeoutMs = 15_000;
/** A silent NATS server is noticed after this many milliseconds times {@link pingsOutMax}. */
export const pingIntervalMs = 5_000;
/** Unanswered pings after which the connection counts as lost. */
export const pingsOutMax = 2;
/** Pause between attempts to reconnect. */
export const reconnectWaitMs = 250;
/**
 * How long an event may take to be acked by the stream before the writer stops waiting for it
 * (docs/processes/events.md#outbox).
 */
export const storeAckTimeoutMs = 250;
/** Within this window the stream drops a second event with the same id (docs/processes/events.md#stream). */
export const streamDuplicateWindowMs = 120_000;
/** Most jobs that may wait in the work queue of deliveries; the next one is refused (docs/protocol/webhooks.md#13.2). */
export const deliveryQueueMax = 10_000;
/** Most of these jobs for one webhook, and for all webhooks of one server (docs/protocol/limits.md#16.3). */
export const webhookDeliveriesMax = 200;
export const serverDeliveriesMax = 1_000;
/** How old the count of waiting jobs may be that the share of a server is judged by … */
export const queueCountAgeMs = 50;
/** … and at least this many times the duration of the last count, so that a full queue is not counted all the time. */
export const queueCountPauseFactor = 10;
/** Dropped deliveries of one webhook are logged at most this often. */
export const dropWarningIntervalMs = 60_000;
/** Webhooks whose drops are counted for the log at the same time; drops of further ones show in the metric only. */
export const droppingWebhooksMax = 10_000;
/** Most events of one fetch while a gap is filled. */
export const readBatchMax = 500;
/** How long a request about the stream may take: a cluster does not answer those that come while the stream has no leader. */
export const readRequestTimeoutMs = 1_500;
/**
 * How long each attempt to create a reader of the stream may take. For some time after a server of a cluster died, every third
 * reader is given to it, and is never answered for.
 */
export const createReaderTimeoutsMs = [300, 300, 600, 600, 1_500];
/** How long the stream may take to deliver the next events of a gap. */
export const readTimeoutMs = 5_000;
/** Most messages of one pull request of a durable consumer. */
export const consumeBatchMax = 500;
/** For how long a durable consumer's request for messages stays open. */
export const consumeExpiresMs = 30_000;
/** Interval of the server's heartbeats for an open request; without any for twice as long the request counts as lost. */
export const consumeHeartbeatMs = 5_000;
/** How long the server may take to find or create a durable consumer; then the request is repeated. */
export const ensureConsumerTimeoutMs = 1_000;
/** Pause after a durable consumer could not read; its stream may not exist yet. */
export const consumeRetryMs = 500;
/** How long a delivery job may take to be acked by the work queue. */
export const deliveryAckTimeoutMs = 2_000;
/** Requests that a process answers at the same time; more are answered with nothing at once. */
export const requestsInFlightMax = 2_000;

/** Attempts at an event whose handler fails each time, and the longest pause between two: together about four minutes. */
export const redeliveryAttemptsMax = 10;
export const redeliveryPauseMaxMs = 60_000;
