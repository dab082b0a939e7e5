/** How long a readiness check of one dependency may take. */
export const dependencyCheckTimeoutMs = 5_000;

/** From dialling to the end of the answer's headers (docs/interface.md#13.2). */
export const attemptTimeoutMs = 10_000;
/**
 * How long the body of an answer is read, and how much of it, so that its connection can be used again. Each byte may be
 * a chunk of its own.
 */
export const answerBodyTimeoutMs = 1_000;
export const answerBodyBytesMax = 16 * 1024;
/** Bytes of it that wait to be read before the connection is not read any further. */
export const answerUnreadBytesMax = 4 * 1024;
/** Most bytes of an answer's headers. */
export const answerHeadersBytesMax = 16 * 1024;
/**
 * An idle connection is used again this long at most. A receiver that closes it just then would cost an attempt, and
 * hardly any closes after less than a second.
 */
export const idleConnectionMs = 1_000;

/** Pauses after the failed attempts of a delivery; after one more it has failed (docs/interface.md#13.2). */
export const retryDelaysMs: readonly number[] = [5_000, 15_000];

/** How many attempts are under way in this process, and for how long others wait for that. */
export interface SchedulerLimits {
  /** Attempts under way at the same time. */
  readonly atOnceMax: number;
  /** Most of these attempts for one receiver. */
  readonly perReceiverMax: number;
  /** While this many attempts are under way, none begins for a receiver without a measured answer time. */
  readonly untrustedMax: number;
  /** While this many are under way, none begins for a slow receiver: one that hangs occupies a slot until the attempt is over. */
  readonly slowMax: number;
  /** A job that waited for this long goes back to where it came from. */
  readonly waitingMaxMs: number;
  /** Jobs that are taken at a time, those that wait included, where whoever submits them has such a bound; shares are reckoned of it. */
  readonly heldMax?: number;
}

/** Of deliveries: the queue gives what goes back to another process. */
export const deliverySlots: SchedulerLimits = {
  atOnceMax: 512,
  perReceiverMax: 8,
  untrustedMax: 384,
  slowMax: 256,
  waitingMaxMs: 30_000,
};
/**
 * A receiver that answers within this time is quick: on average for the slots that it may use, a webhook last for its share of the
 * queue (docs/interface.md#16.3).
 */
export const quickAnswerMs = 1_000;
/** Most receivers whose usual answer time is kept; the least recently used one is dropped. */
export const rememberedReceiversMax = 10_000;
/** How long the owner of a webhook is taken for the same. */
export const ownerKeptMs = 60_000;

/** Most jobs of one pull request to the queue. */
export const jobsAskedForMax = 200;
/**
 * Bytes of the jobs of one kind that wait here for a slot. The queue's 10,000 deliveries usually fit; when they do not, jobs of the
 * receivers with most of them go back.
 */
export const waitingBytesMax = 32 * 1024 * 1024;
/** Bounds of the random delay of a requeued job, so that many are not delivered again at once. */
export const requeueMinMs = 500;
export const requeueMaxMs = 2_000;
/** Interval of the checks for jobs whose ack wait is to be restarted, or that have waited too long. */
export const jobCheckMs = 1_000;
/** How often the ack wait of a job is restarted; a fraction of the consumer's ack wait. */
export const workingIntervalMs = 5_000;

/** Events that this process may have unacked: read, and their jobs not queued yet. */
export const eventsHandledMax = 2_000;
/** Ack wait of an event: after this long without an ack it is delivered to another process. */
export const eventAckWaitMs = 30_000;
/** After a database or queue that did not answer, the same work is tried again after this long. */
export const retryAfterOutageMs = 1_000;

/** Backlogs that this process reads from the stream at the same time. */
export const backlogsAtOnceMax = 8;
/** Most events that are read of a backlog before the next backlog has its turn. */
export const backlogEventsMax = 500;
/** A claimed backlog that is not released may be claimed by another process after this long. */
export const backlogLeaseMs = 10_000;
/** How often this process looks for backlogs that are due while it reads one or may have just made one … */
export const backlogPauseMs = 100;
/** … and otherwise. */
export const backlogIdleMs = 1_000;
/** Before a backlog is read for the last time: the copy of the stream that is read may lag behind the others. */
export const backlogEndPauseMs = 1_000;

/** Most items that one statement looks up or writes. */
export const statementBatchMax = 200;
/** Statements of one kind at the same time; what arrives meanwhile shares the next one. */
export const statementsInFlightMax = 2;

/** Deliveries that the log keeps of each webhook. */
export const deliveriesLoggedMax = 100;
/** The log of webhooks that were delivered to is trimmed to that length this often. */
export const trimIntervalMs = 5_000;
/** Most characters of an error that the log keeps. */
export const errorLengthMax = 200;
/** Pause between two statements that log dropped deliveries: at least so long … */
export const droppedPauseMs = 250;
/** … and this many times as long as the last one took. */
export const droppedPauseFactor = 4;
/** From dialling a bot to the end of its answer (docs/interface.md#25.3). */
export const interactionTimeoutMs = 3_000;
/** Most bytes of such an answer; the longest that fits is a few times shorter. */
export const interactionAnswerBytesMax = 128 * 1024;
/** Of interactions: apart from deliveries, so that neither waits for the other. What waited for so long is over. */
export const interactionSlots: SchedulerLimits = {
  atOnceMax: 1_024,
  perReceiverMax: 32,
  untrustedMax: 768,
  slowMax: 512,
  waitingMaxMs: interactionTimeoutMs,
};
/** Most interactions that one statement claims. */
export const interactionClaimMax = 100;
/** How often it is looked for interactions whose time is over while they wait for a slot. */
export const interactionCheckMs = 500;
/** How long requests to bots may still take when the process stops. */
export const interactionDrainTimeoutMs = interactionTimeoutMs + 500;

/** How long attempts under way may still take when the process stops. */
export const drainTimeoutMs = attemptTimeoutMs + 2_000;
