import { AnswerTimes } from "./answer-times.js";
import { isTrusted, type Lane, type LaneJob, parkFor, waitingMax } from "./lane.js";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  jobsHeldMax,
  untrustedAttemptsMax,
  waitHereMaxMs,
} from "./limits.js";

/**
 * Decides whose turn it is, so that no webhook waits for another one's receiver:
 *
 * - A job under way has one of {@link attemptsAtOnceMax} places; a webhook has few of them, and webhooks that are slow or
 *   unknown share a part of them, so that those known to be quick find a place however many others hang.
 * - A job that finds none waits here only if its turn is a moment away. Otherwise it is *parked*: it goes back to the
 *   queue for as long as its turn is away. So what is held here is bounded and moves, and this process can always take
 *   the next job from the queue. The queue hands out jobs past a parked one, because its consumer may have as many
 *   unsettled jobs as the queue has.
 *
 * States of a job: offered → running → done; offered → waiting → running; offered or waiting → parked (it comes again
 * from the queue, to any process).
 */
export class WebhookTurns<Job extends LaneJob> {
  readonly #lanes = new Map<string, Lane<Job>>();
  /** Lanes with waiting jobs; the first one has waited longest for a turn. */
  readonly #queue = new Set<Lane<Job>>();
  readonly #answerTimes = new AnswerTimes();
  readonly #begin: (job: Job) => void;
  readonly #park: (job: Job, delayMs: number) => void;
  readonly #now: () => number;
  #running = 0;
  #held = 0;
  #roomWanted: (() => void) | null = null;

  /** @param options.begin starts a job and calls `done` at its end; `park` sends one back to the queue */
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
    return this.#held - this.#running;
  }

  /** How many more jobs can be offered; resolves when it is at least one. */
  async room(): Promise<number> {
    if (this.#held >= jobsHeldMax) {
      await new Promise<void>((resolve) => {
        this.#roomWanted = resolve;
      });
    }
    return jobsHeldMax - this.#held;
  }

  /** Takes a job: it begins, waits, or is parked. */
  offer(job: Job): void {
    const lane = this.#laneOf(job.webhookId);
    const now = this.#now();
    this.#held += 1;
    if (this.#hasPlace(lane, now)) this.#start(lane, job, now);
    else if (this.#mayWait(lane, now)) {
      lane.waiting.set(job, now);
      this.#queue.add(lane);
    } else this.#sendBack(lane, job, now);
  }

  /** The job gave its place back; `durationMs` is how long the answer took, null when nothing was sent. */
  done(job: Job, durationMs: number | null): void {
    const lane = this.#lanes.get(job.webhookId);
    if (!lane?.running.delete(job)) return;
    if (durationMs !== null) this.#answerTimes.add(job.webhookId, durationMs);
    this.#running -= 1;
    this.#letGo(lane);
    this.#startWaiting();
  }

  /** Parks jobs that have waited here for longer than was expected, and forgets lanes that nothing comes back to. */
  sweep(): void {
    const now = this.#now();
    for (const lane of this.#lanes.values()) {
      for (const [job, since] of lane.waiting) {
        if (now - since < waitHereMaxMs) break;
        lane.waiting.delete(job);
        this.#sendBack(lane, job, now);
      }
      if (lane.waiting.size === 0) this.#queue.delete(lane);
      this.#forgetIfSettled(lane);
    }
    this.#startWaiting();
  }

  /** Parks whatever waits, without delay: another process may take it. */
  giveUpWaiting(): void {
    for (const lane of this.#queue) {
      for (const job of lane.waiting.keys()) {
        lane.waiting.delete(job);
        this.#park(job, 0);
        this.#letGo(lane);
      }
    }
    this.#queue.clear();
  }

  #startWaiting(): void {
    const now = this.#now();
    // A lane that is put back is looked at again, until places or lanes that can use one run out.
    for (const lane of this.#queue) {
      if (this.#running >= attemptsAtOnceMax) return;
      if (!this.#hasPlace(lane, now)) continue;
      const [job] = lane.waiting.keys();
      this.#queue.delete(lane);
      if (job === undefined) continue;
      lane.waiting.delete(job);
      // Behind all others: lanes take turns.
      if (lane.waiting.size > 0) this.#queue.add(lane);
      this.#start(lane, job, now);
    }
  }

  #start(lane: Lane<Job>, job: Job, now: number): void {
    lane.running.set(job, now);
    this.#running += 1;
    this.#begin(job);
  }

  #sendBack(lane: Lane<Job>, job: Job, now: number): void {
    this.#park(job, Math.round(parkFor(lane, this.#answerTimes.average(lane.webhookId), now)));
    this.#letGo(lane);
  }

  #hasPlace(lane: Lane<Job>, now: number): boolean {
    if (lane.running.size >= attemptsPerWebhookMax || this.#running >= attemptsAtOnceMax) return false;
    return this.#running < untrustedAttemptsMax || isTrusted(lane, this.#answerTimes.average(lane.webhookId), now);
  }

  #mayWait(lane: Lane<Job>, now: number): boolean {
    const average = this.#answerTimes.average(lane.webhookId);
    // With the places for the untrusted taken, its turn is as far away as somebody else's answer.
    if (lane.running.size < attemptsPerWebhookMax && !isTrusted(lane, average, now)) return false;
    return lane.waiting.size < waitingMax(lane, average, now);
  }

  #laneOf(webhookId: string): Lane<Job> {
    let lane = this.#lanes.get(webhookId);
    if (lane === undefined) {
      lane = { webhookId, running: new Map(), waiting: new Map(), returnsAt: 0 };
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  #letGo(lane: Lane<Job>): void {
    this.#held -= 1;
    this.#forgetIfSettled(lane);
    this.#roomWanted?.();
    this.#roomWanted = null;
  }

  #forgetIfSettled(lane: Lane<Job>): void {
    // Until its parked jobs are back the lane knows when the last of them comes.
    const settled = lane.running.size === 0 && lane.waiting.size === 0 && lane.returnsAt <= this.#now();
    if (settled) this.#lanes.delete(lane.webhookId);
  }
}
