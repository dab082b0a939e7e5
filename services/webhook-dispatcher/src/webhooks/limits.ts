import { attemptTimeoutMs, type SchedulerLimits } from "../attempts/limits.js";

/** Pauses after the failed attempts of a delivery; after one more it has failed (docs/protocol/webhooks.md#13.2). */
export const retryDelaysMs: readonly number[] = [5_000, 15_000];

/** Slots of deliveries: the queue gives returned jobs to another process. */
export const deliverySlots: SchedulerLimits = {
  atOnceMax: 512,
  perReceiverMax: 8,
  untrustedMax: 384,
  slowMax: 256,
  waitingMaxMs: 30_000,
};
/** How long the owner of a webhook is taken for the same. */
export const ownerKeptMs = 60_000;

/** Most jobs of one pull request to the queue. */
export const jobsAskedForMax = 200;
/** Interval of the checks for jobs whose ack wait is to be restarted, or that have waited too long. */
export const jobCheckMs = 1_000;
/** How often the ack wait of a job is restarted; a fraction of the consumer's ack wait. */
export const workingIntervalMs = 5_000;

/** Events that this process may have unacked: read, and their jobs not queued yet. */
export const eventsHandledMax = 2_000;

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

/** How long attempts under way may still take when the process stops. */
export const drainTimeoutMs = attemptTimeoutMs + 2_000;
