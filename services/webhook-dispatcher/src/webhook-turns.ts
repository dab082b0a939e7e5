import { AnswerTimes } from "./answer-times.js";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  parkMaxMs,
  parkMinMs,
  quickAnswerMs,
  slowAttemptsMax,
  untrustedAttemptsMax,
  waitHereMaxMs,
  waitingBytesMax,
} from "./limits.js";

/** A job that this process holds. */
export interface TurnJob {
  readonly webhookId: string;
  readonly body: { readonly byteLength: number };
}

/** The jobs of one webhook in this process. */
interface Lane<Job extends TurnJob> {
  readonly webhookId: string;
  /** Jobs under way and when each began; the first is the oldest. */
  readonly running: Map<Job, number>;
  /** Jobs that wait for their turn and since when, oldest first. */
  readonly waiting: Map<Job, number>;
}

/**
 * Decides whose turn it is, so that no webhook waits for another one's receiver:
 *
 * - A job under way has one of {@link attemptsAtOnceMax} places. A webhook gets few of them. Not all
 *   are open to webhooks that nothing is known of, and fewer to slow ones, so that those known to be quick find a place
 *   however many others hang, and a new one gets its chance.
 * - A job that finds none waits here, and never keeps the next job from being taken from the queue: what waits is bounded
 *   by bytes, and beyond that the webhook with most waiting jobs has one *parked*, which is handed back to the queue for a
 *   moment. The queue's consumer may have as many unsettled jobs as the queue has, so neither waiting nor parked
 *   jobs keep it from handing out others.
 *
 * States of a job: offered → running → done; offered → waiting → running; offered or waiting → parked (it comes again
 * from the queue, to any process).
 */
export class WebhookTurns<Job extends TurnJob> {
  readonly #lanes = new Map<string, Lane<Job>>();
  /** Lanes with waiting jobs; the first one has waited longest for a turn. */
  readonly #queue = new Set<Lane<Job>>();
  readonly #answerTimes = new AnswerTimes();
  readonly #begin: (job: Job) => void;
  readonly #park: (job: Job, delayMs: number) => void;
  readonly #now: () => number;
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;

  /** @param options.begin starts a job and calls `done` at its end; `park` hands one back to the queue */
  constructor(options: { begin: (job: Job) => void; park: (job: Job, delayMs: number) => void; now?: () => number }) {
    this.#begin = options.begin;
    this.#park = options.park;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Jobs under way. */
  get running(): number {
    return this.#running;
  }

  /** Jobs that wait here. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a job: it begins, waits, or is parked. */
  offer(job: Job): void {
    const lane = this.#laneOf(job.webhookId);
    const now = this.#now();
    // Nobody overtakes the jobs of the same webhook that wait already.
    if (lane.waiting.size === 0 && this.#hasPlace(lane, now)) this.#start(lane, job, now);
    else if (this.#mayWait(lane, job)) this.#wait(lane, job, now);
    else this.#sendBack(lane, job);
  }

  /** The job gave its place back; `durationMs` is how long the answer took, null when nothing was sent. */
  done(job: Job, durationMs: number | null): void {
    const lane = this.#lanes.get(job.webhookId);
    if (!lane?.running.delete(job)) return;
    if (durationMs !== null) this.#answerTimes.add(job.webhookId, durationMs);
    this.#running -= 1;
    this.#forgetIfEmpty(lane);
    this.#startWaiting();
  }

  /** Parks jobs that have waited here for long. */
  sweep(): void {
    const now = this.#now();
    for (const lane of this.#queue) {
      for (const [job, since] of lane.waiting) {
        if (now - since < waitHereMaxMs) break;
        this.#stopWaiting(lane, job);
        this.#sendBack(lane, job);
      }
    }
    this.#startWaiting();
  }

  /** Parks whatever waits, without delay: another process may take it. */
  giveUpWaiting(): void {
    for (const lane of this.#queue) {
      for (const job of lane.waiting.keys()) {
        this.#stopWaiting(lane, job);
        this.#park(job, 0);
        this.#forgetIfEmpty(lane);
      }
    }
  }

  #startWaiting(): void {
    const now = this.#now();
    // A lane that is put back is looked at again, until places or lanes that can use one run out.
    for (const lane of this.#queue) {
      if (this.#running >= attemptsAtOnceMax) return;
      if (!this.#hasPlace(lane, now)) continue;
      const [job] = lane.waiting.keys();
      if (job === undefined) continue;
      this.#stopWaiting(lane, job);
      this.#start(lane, job, now);
      // Behind all others: lanes take turns.
      if (this.#queue.delete(lane)) this.#queue.add(lane);
    }
  }

  #start(lane: Lane<Job>, job: Job, now: number): void {
    lane.running.set(job, now);
    this.#running += 1;
    this.#begin(job);
  }

  #wait(lane: Lane<Job>, job: Job, now: number): void {
    lane.waiting.set(job, now);
    this.#waiting += 1;
    this.#waitingBytes += job.body.byteLength;
    this.#queue.add(lane);
  }

  #stopWaiting(lane: Lane<Job>, job: Job): void {
    lane.waiting.delete(job);
    this.#waiting -= 1;
    this.#waitingBytes -= job.body.byteLength;
    if (lane.waiting.size === 0) this.#queue.delete(lane);
  }

  #sendBack(lane: Lane<Job>, job: Job): void {
    this.#park(job, Math.round(parkMinMs + Math.random() * (parkMaxMs - parkMinMs)));
    this.#forgetIfEmpty(lane);
  }

  #hasPlace(lane: Lane<Job>, now: number): boolean {
    return lane.running.size < attemptsPerWebhookMax && this.#running < this.#placesFor(lane, now);
  }

  /** How many places are open to a webhook: most to one that is known to be quick, fewest to one that is slow. */
  #placesFor(lane: Lane<Job>, now: number): number {
    const average = this.#answerTimes.average(lane.webhookId);
    const [oldest = now] = lane.running.values();
    if (Math.max(average ?? 0, now - oldest) > quickAnswerMs) return slowAttemptsMax;
    return average === undefined ? untrustedAttemptsMax : attemptsAtOnceMax;
  }

  /** Makes room for a job, at the cost of the lane with most; false when that is the job's own. */
  #mayWait(lane: Lane<Job>, { body }: Job): boolean {
    while (this.#waitingBytes + body.byteLength > waitingBytesMax) {
      const longest = this.#longestLane();
      if (longest === null || longest.waiting.size <= lane.waiting.size + 1) return false;
      const [evicted] = longest.waiting.keys();
      if (evicted === undefined) return false;
      this.#stopWaiting(longest, evicted);
      this.#sendBack(longest, evicted);
    }
    return true;
  }

  #longestLane(): Lane<Job> | null {
    let longest: Lane<Job> | null = null;
    for (const lane of this.#queue) {
      if (lane.waiting.size > (longest?.waiting.size ?? 0)) longest = lane;
    }
    return longest;
  }

  #laneOf(webhookId: string): Lane<Job> {
    let lane = this.#lanes.get(webhookId);
    if (lane === undefined) {
      lane = { webhookId, running: new Map(), waiting: new Map() };
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  #forgetIfEmpty(lane: Lane<Job>): void {
    if (lane.running.size === 0 && lane.waiting.size === 0) this.#lanes.delete(lane.webhookId);
  }
}
