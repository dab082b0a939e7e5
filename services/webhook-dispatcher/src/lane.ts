import {
  assumedAnswerMs,
  attemptsPerWebhookMax,
  parkMaxMs,
  parkMinMs,
  quickAnswerMs,
  waitHereMs,
  waitingPerWebhookMax,
} from "./limits.js";

/** A job that this process holds. */
export interface LaneJob {
  readonly webhookId: string;
}

/** The jobs of one webhook in this process. */
export interface Lane<Job extends LaneJob> {
  readonly webhookId: string;
  /** Jobs under way and when each began; the first is the oldest. */
  readonly running: Map<Job, number>;
  /** Jobs that wait for their turn and since when, oldest first. */
  readonly waiting: Map<Job, number>;
  /** When the last job that was sent back to the queue comes again. */
  returnsAt: number;
}

/** How long the webhook takes to answer: as usual, or as long as the oldest job under way has taken by now. */
export function expectedAnswerMs(lane: Lane<LaneJob>, average: number | undefined, now: number): number {
  const [oldest = now] = lane.running.values();
  return Math.max(average ?? assumedAnswerMs, now - oldest);
}

/** Whether the webhook is known to be quick and is quick right now. */
export function isTrusted(lane: Lane<LaneJob>, average: number | undefined, now: number): boolean {
  return average !== undefined && expectedAnswerMs(lane, average, now) <= quickAnswerMs;
}

/** How many jobs may wait here: as many as the webhook works off in a moment. */
export function waitingMax(lane: Lane<LaneJob>, average: number | undefined, now: number): number {
  const jobsAMoment = (waitHereMs * attemptsPerWebhookMax) / expectedAnswerMs(lane, average, now);
  return Math.min(Math.max(Math.floor(jobsAMoment), 1), waitingPerWebhookMax);
}

/**
 * For how long a job goes back to the queue. Jobs of one webhook come again one after the other, at the pace at which it
 * works them off, so that a backlog of thousands does not turn up at once.
 */
export function parkFor(lane: Lane<LaneJob>, average: number | undefined, now: number): number {
  const paceMs = expectedAnswerMs(lane, average, now) / attemptsPerWebhookMax;
  const earliest = now + Math.max(parkMinMs, lane.waiting.size * paceMs);
  lane.returnsAt = Math.min(Math.max(lane.returnsAt, earliest) + paceMs, now + parkMaxMs);
  return lane.returnsAt - now;
}
