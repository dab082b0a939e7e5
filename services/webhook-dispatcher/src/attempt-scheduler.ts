import { LRUCache } from "lru-cache";
import {
  quickAnswerMs,
  rememberedReceiversMax,
  requeueMaxMs,
  requeueMinMs,
  type SchedulerLimits,
  waitingBytesMax,
} from "./limits.js";

/** Weight of the newest answer in the moving average. */
const newestWeight = 0.3;

/** Usual answer time of each receiver. */
class AnswerTimes {
  readonly #averages = new LRUCache<string, number>({ max: rememberedReceiversMax });

  /** Remembers an answer, or the duration of an attempt without an answer. */
  add(receiverId: string, durationMs: number): void {
    const before = this.#averages.get(receiverId) ?? durationMs;
    this.#averages.set(receiverId, before + (durationMs - before) * newestWeight);
  }

  /** Average in milliseconds; undefined for a receiver that nothing is known of. */
  average(receiverId: string): number | undefined {
    return this.#averages.get(receiverId);
  }
}

/** A job that this process holds. */
export interface ScheduledJob {
  readonly receiverId: string;
  readonly body: { readonly byteLength: number };
}

/** The jobs of one receiver in this process. */
interface ReceiverJobs<Job extends ScheduledJob> {
  readonly receiverId: string;
  /** Jobs under way and when each began; the first is the oldest. */
  readonly running: Map<Job, number>;
  /** Jobs that wait for a slot and since when, oldest first. */
  readonly waiting: Map<Job, number>;
}

/**
 * Fair scheduling of attempts, so that nobody waits for another one's receiver, which is a webhook or a bot:
 *
 * - A running job occupies one of {@link SchedulerLimits.atOnceMax} slots, of which one receiver gets few. Receivers without a
 *   measured answer time cannot use all of them, and slow ones fewer still, so that slots remain for quick receivers
 *   however many others hang, and for new ones.
 * - A job without a slot waits in memory and does not block taking the next job. Waiting jobs are bounded by bytes; beyond
 *   that the receiver with most waiting jobs has one *requeued*: given back with a short delay. The queue's consumer may have
 *   as many unacked deliveries as the queue holds, so neither waiting nor requeued jobs stop the delivery of others.
 * - Receivers with waiting jobs get free slots in rotation.
 *
 * States of a job: submitted → running → done; submitted → waiting → running; submitted or waiting → requeued (whoever
 * submitted it decides what becomes of it).
 */
export class AttemptScheduler<Job extends ScheduledJob> {
  readonly #receivers = new Map<string, ReceiverJobs<Job>>();
  /** Receivers with waiting jobs; the first one has waited longest for a slot. */
  readonly #queue = new Set<ReceiverJobs<Job>>();
  readonly #answerTimes = new AnswerTimes();
  readonly #begin: (job: Job) => void;
  readonly #requeue: (job: Job, delayMs: number) => void;
  readonly #now: () => number;
  readonly #limits: SchedulerLimits;
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;

  /** @param options.begin starts a job and calls `done` at its end; `requeue` takes one back */
  constructor(options: {
    limits: SchedulerLimits;
    begin: (job: Job) => void;
    requeue: (job: Job, delayMs: number) => void;
    now?: () => number;
  }) {
    this.#limits = options.limits;
    this.#begin = options.begin;
    this.#requeue = options.requeue;
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

  /** Accepts a job: it begins, waits, or is requeued. */
  submit(job: Job): void {
    const receiver = this.#jobsOf(job.receiverId);
    const now = this.#now();
    // Jobs of one receiver begin in the order of submission.
    if (receiver.waiting.size === 0 && this.#hasSlot(receiver, now)) this.#start(receiver, job, now);
    else if (this.#mayWait(receiver, job)) this.#wait(receiver, job, now);
    else this.#sendBack(receiver, job);
  }

  /** Frees the slot of the job; `durationMs` is how long the answer took, null when nothing was sent. */
  done(job: Job, durationMs: number | null): void {
    const receiver = this.#receivers.get(job.receiverId);
    if (!receiver?.running.delete(job)) return;
    if (durationMs !== null) this.#answerTimes.add(job.receiverId, durationMs);
    this.#running -= 1;
    this.#deleteIfEmpty(receiver);
    this.#startWaiting();
  }

  /** Requeues jobs that have waited for {@link SchedulerLimits.waitingMaxMs}. */
  expireWaiting(): void {
    const now = this.#now();
    for (const receiver of this.#queue) {
      for (const [job, since] of receiver.waiting) {
        if (now - since < this.#limits.waitingMaxMs) break;
        this.#stopWaiting(receiver, job);
        this.#sendBack(receiver, job);
      }
    }
    this.#startWaiting();
  }

  /** Requeues all waiting jobs without delay: another process may take them. */
  requeueWaiting(): void {
    for (const receiver of this.#queue) {
      for (const job of receiver.waiting.keys()) {
        this.#stopWaiting(receiver, job);
        this.#requeue(job, 0);
        this.#deleteIfEmpty(receiver);
      }
    }
  }

  #startWaiting(): void {
    const now = this.#now();
    // Re-added receivers are visited again in this loop, until slots or receivers that may use one run out.
    for (const receiver of this.#queue) {
      if (this.#running >= this.#limits.atOnceMax) return;
      if (!this.#hasSlot(receiver, now)) continue;
      const [job] = receiver.waiting.keys();
      if (job === undefined) continue;
      this.#stopWaiting(receiver, job);
      this.#start(receiver, job, now);
      // To the end of the rotation.
      if (this.#queue.delete(receiver)) this.#queue.add(receiver);
    }
  }

  #start(receiver: ReceiverJobs<Job>, job: Job, now: number): void {
    receiver.running.set(job, now);
    this.#running += 1;
    this.#begin(job);
  }

  #wait(receiver: ReceiverJobs<Job>, job: Job, now: number): void {
    receiver.waiting.set(job, now);
    this.#waiting += 1;
    this.#waitingBytes += job.body.byteLength;
    this.#queue.add(receiver);
  }

  #stopWaiting(receiver: ReceiverJobs<Job>, job: Job): void {
    receiver.waiting.delete(job);
    this.#waiting -= 1;
    this.#waitingBytes -= job.body.byteLength;
    if (receiver.waiting.size === 0) this.#queue.delete(receiver);
  }

  #sendBack(receiver: ReceiverJobs<Job>, job: Job): void {
    this.#requeue(job, Math.round(requeueMinMs + Math.random() * (requeueMaxMs - requeueMinMs)));
    this.#deleteIfEmpty(receiver);
  }

  #hasSlot(receiver: ReceiverJobs<Job>, now: number): boolean {
    return receiver.running.size < this.#limits.perReceiverMax && this.#running < this.#slotsFor(receiver, now);
  }

  /** How many slots a receiver may use: most for one that is known to be quick, fewest for one that is slow. */
  #slotsFor(receiver: ReceiverJobs<Job>, now: number): number {
    const average = this.#answerTimes.average(receiver.receiverId);
    const [oldest = now] = receiver.running.values();
    if (Math.max(average ?? 0, now - oldest) > quickAnswerMs) return this.#limits.slowMax;
    return average === undefined ? this.#limits.untrustedMax : this.#limits.atOnceMax;
  }

  /** Frees bytes for a job by requeueing jobs of the receiver with most waiting; false when that is the job's own. */
  #mayWait(receiver: ReceiverJobs<Job>, { body }: Job): boolean {
    while (this.#waitingBytes + body.byteLength > waitingBytesMax) {
      const longest = this.#mostWaiting();
      if (longest === null || longest.waiting.size <= receiver.waiting.size + 1) return false;
      const [evicted] = longest.waiting.keys();
      if (evicted === undefined) return false;
      this.#stopWaiting(longest, evicted);
      this.#sendBack(longest, evicted);
    }
    return true;
  }

  #mostWaiting(): ReceiverJobs<Job> | null {
    let longest: ReceiverJobs<Job> | null = null;
    for (const receiver of this.#queue) {
      if (receiver.waiting.size > (longest?.waiting.size ?? 0)) longest = receiver;
    }
    return longest;
  }

  #jobsOf(receiverId: string): ReceiverJobs<Job> {
    let receiver = this.#receivers.get(receiverId);
    if (receiver === undefined) {
      receiver = { receiverId, running: new Map(), waiting: new Map() };
      this.#receivers.set(receiverId, receiver);
    }
    return receiver;
  }

  #deleteIfEmpty(receiver: ReceiverJobs<Job>): void {
    if (receiver.running.size === 0 && receiver.waiting.size === 0) this.#receivers.delete(receiver.receiverId);
  }
}
