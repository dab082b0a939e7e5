/** From dialling to the end of the answer's headers (docs/protocol/webhooks.md#13.2). */
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

/** How many attempts are under way in this process, and for how long others wait for that. */
export interface SchedulerLimits {
  /** Attempts under way at the same time. */
  readonly atOnceMax: number;
  /** Most of these attempts for one receiver. */
  readonly perReceiverMax: number;
  /** While this many attempts are under way, none begins for a receiver without a measured answer time. */
  readonly untrustedMax: number;
  /**
   * While this many are under way, none begins for a slow receiver, because one that hangs occupies a slot until its
   * attempt ends.
   */
  readonly slowMax: number;
  /** A job that waited for this long goes back to where it came from. */
  readonly waitingMaxMs: number;
  /**
   * Jobs that the process takes at a time, waiting ones included, where the submitter has such a bound; shares are
   * fractions of it.
   */
  readonly heldMax?: number;
}

/**
 * A receiver that answers within this time is quick: on average for the slots that it may use, a webhook last for its share of the
 * queue (docs/protocol/limits.md#16.3).
 */
export const quickAnswerMs = 1_000;
/** Most receivers whose usual answer time is kept; the least recently used one is dropped. */
export const rememberedReceiversMax = 10_000;
/**
 * Bytes of the jobs of one kind that wait here for a slot. The queue's 10,000 deliveries usually fit; when they do not, jobs of the
 * receivers with most of them go back.
 */
export const waitingBytesMax = 32 * 1024 * 1024;
/** Bounds of the random delay of a requeued job, so that many are not delivered again at once. */
export const requeueMinMs = 500;
export const requeueMaxMs = 2_000;

/** Ack wait of an event: after this long without an ack it is delivered to another process. */
export const eventAckWaitMs = 30_000;
/** After a database or queue that did not answer, the same work is tried again after this long. */
export const retryAfterOutageMs = 1_000;
/** Most items that one statement looks up or writes. */
export const statementBatchMax = 200;
/** Statements of one kind at the same time; jobs that arrive meanwhile share the next one. */
export const statementsInFlightMax = 2;
