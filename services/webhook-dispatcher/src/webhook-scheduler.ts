import { LRUCache } from "lru-cache";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  quickAnswerMs,
  rememberedWebhooksMax,
  requeueMaxMs,
  requeueMinMs,
  slowAttemptsMax,
  untrustedAttemptsMax,
  waitingBytesMax,
  waitingMaxMs,
} from "./limits.js";

/** Weight of the newest answer in the moving average. */
const newestWeight = 0.3;

/** Usual answer time of each webhook. */
class AnswerTimes {
  readonly #averages = new LRUCache<string, number>({ max: rememberedWebhooksMax });

  /** Remembers an answer, or the duration of an attempt without an answer. */
  add(webhookId: string, durationMs: number): void {
    const before = this.#averages.get(webhookId) ?? durationMs;
    this.#averages.set(webhookId, before + (durationMs - before) * newestWeight);
  }

  /** Average in milliseconds; undefined for a webhook that nothing is known of. */
  average(webhookId: string): number | undefined {
    return this.#averages.get(webhookId);
  }
}

/** A job that this process holds. */
export interface ScheduledJob {
  readonly webhookId: string;
  readonly body: { readonly byteLength: number };
}

/** The jobs of one webhook in this process. */
interface WebhookJobs<Job extends ScheduledJob> {
  readonly webhookId: string;
  /** Jobs under way and when each began; the first is the oldest. */
  readonly running: Map<Job, number>;
  /** Jobs that wait for a slot and since when, oldest first. */
  readonly waiting: Map<Job, number>;
}

/**
 * Fair scheduling of attempts, so that no webhook waits for another one's receiver:
 *
 * - A running job occupies one of {@link attemptsAtOnceMax} slots, of which one webhook gets few. Webhooks without a
 *   measured answer time cannot use all of them, and slow ones fewer still, so that slots remain for quick webhooks
 *   however many others hang, and for new ones.
 * - A job without a slot waits in memory and does not block taking the next job from the queue. Waiting jobs are
 *   bounded by bytes; beyond that the webhook with most waiting jobs has one *requeued*: returned to the queue with a
 *   short delay. The queue's consumer may have as many unacked jobs as the queue holds, so neither waiting nor requeued
 *   jobs stop the delivery of others.
 * - Webhooks with waiting jobs get free slots in rotation.
 *
 * States of a job: submitted → running → done; submitted → waiting → running; submitted or waiting → requeued (the
 * queue delivers it again, to any process).
 */
export class WebhookScheduler<Job extends ScheduledJob> {
  readonly #webhooks = new Map<string, WebhookJobs<Job>>();
  /** Webhooks with waiting jobs; the first one has waited longest for a slot. */
  readonly #queue = new Set<WebhookJobs<Job>>();
  readonly #answerTimes = new AnswerTimes();
  readonly #begin: (job: Job) => void;
  readonly #requeue: (job: Job, delayMs: number) => void;
  readonly #now: () => number;
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;

  /** @param options.begin starts a job and calls `done` at its end; `requeue` returns one to the queue */
  constructor(options: {
    begin: (job: Job) => void;
    requeue: (job: Job, delayMs: number) => void;
    now?: () => number;
  }) {
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
    const webhook = this.#jobsOf(job.webhookId);
    const now = this.#now();
    // Jobs of one webhook begin in the order of submission.
    if (webhook.waiting.size === 0 && this.#hasSlot(webhook, now)) this.#start(webhook, job, now);
    else if (this.#mayWait(webhook, job)) this.#wait(webhook, job, now);
    else this.#sendBack(webhook, job);
  }

  /** Frees the slot of the job; `durationMs` is how long the answer took, null when nothing was sent. */
  done(job: Job, durationMs: number | null): void {
    const webhook = this.#webhooks.get(job.webhookId);
    if (!webhook?.running.delete(job)) return;
    if (durationMs !== null) this.#answerTimes.add(job.webhookId, durationMs);
    this.#running -= 1;
    this.#deleteIfEmpty(webhook);
    this.#startWaiting();
  }

  /** Requeues jobs that have waited for {@link waitingMaxMs}. */
  expireWaiting(): void {
    const now = this.#now();
    for (const webhook of this.#queue) {
      for (const [job, since] of webhook.waiting) {
        if (now - since < waitingMaxMs) break;
        this.#stopWaiting(webhook, job);
        this.#sendBack(webhook, job);
      }
    }
    this.#startWaiting();
  }

  /** Requeues all waiting jobs without delay: another process may take them. */
  requeueWaiting(): void {
    for (const webhook of this.#queue) {
      for (const job of webhook.waiting.keys()) {
        this.#stopWaiting(webhook, job);
        this.#requeue(job, 0);
        this.#deleteIfEmpty(webhook);
      }
    }
  }

  #startWaiting(): void {
    const now = this.#now();
    // Re-added webhooks are visited again in this loop, until slots or webhooks that may use one run out.
    for (const webhook of this.#queue) {
      if (this.#running >= attemptsAtOnceMax) return;
      if (!this.#hasSlot(webhook, now)) continue;
      const [job] = webhook.waiting.keys();
      if (job === undefined) continue;
      this.#stopWaiting(webhook, job);
      this.#start(webhook, job, now);
      // To the end of the rotation.
      if (this.#queue.delete(webhook)) this.#queue.add(webhook);
    }
  }

  #start(webhook: WebhookJobs<Job>, job: Job, now: number): void {
    webhook.running.set(job, now);
    this.#running += 1;
    this.#begin(job);
  }

  #wait(webhook: WebhookJobs<Job>, job: Job, now: number): void {
    webhook.waiting.set(job, now);
    this.#waiting += 1;
    this.#waitingBytes += job.body.byteLength;
    this.#queue.add(webhook);
  }

  #stopWaiting(webhook: WebhookJobs<Job>, job: Job): void {
    webhook.waiting.delete(job);
    this.#waiting -= 1;
    this.#waitingBytes -= job.body.byteLength;
    if (webhook.waiting.size === 0) this.#queue.delete(webhook);
  }

  #sendBack(webhook: WebhookJobs<Job>, job: Job): void {
    this.#requeue(job, Math.round(requeueMinMs + Math.random() * (requeueMaxMs - requeueMinMs)));
    this.#deleteIfEmpty(webhook);
  }

  #hasSlot(webhook: WebhookJobs<Job>, now: number): boolean {
    return webhook.running.size < attemptsPerWebhookMax && this.#running < this.#slotsFor(webhook, now);
  }

  /** How many slots a webhook may use: most for one that is known to be quick, fewest for one that is slow. */
  #slotsFor(webhook: WebhookJobs<Job>, now: number): number {
    const average = this.#answerTimes.average(webhook.webhookId);
    const [oldest = now] = webhook.running.values();
    if (Math.max(average ?? 0, now - oldest) > quickAnswerMs) return slowAttemptsMax;
    return average === undefined ? untrustedAttemptsMax : attemptsAtOnceMax;
  }

  /** Frees bytes for a job by requeueing jobs of the webhook with most waiting; false when that is the job's own. */
  #mayWait(webhook: WebhookJobs<Job>, { body }: Job): boolean {
    while (this.#waitingBytes + body.byteLength > waitingBytesMax) {
      const longest = this.#mostWaiting();
      if (longest === null || longest.waiting.size <= webhook.waiting.size + 1) return false;
      const [evicted] = longest.waiting.keys();
      if (evicted === undefined) return false;
      this.#stopWaiting(longest, evicted);
      this.#sendBack(longest, evicted);
    }
    return true;
  }

  #mostWaiting(): WebhookJobs<Job> | null {
    let longest: WebhookJobs<Job> | null = null;
    for (const webhook of this.#queue) {
      if (webhook.waiting.size > (longest?.waiting.size ?? 0)) longest = webhook;
    }
    return longest;
  }

  #jobsOf(webhookId: string): WebhookJobs<Job> {
    let webhook = this.#webhooks.get(webhookId);
    if (webhook === undefined) {
      webhook = { webhookId, running: new Map(), waiting: new Map() };
      this.#webhooks.set(webhookId, webhook);
    }
    return webhook;
  }

  #deleteIfEmpty(webhook: WebhookJobs<Job>): void {
    if (webhook.running.size === 0 && webhook.waiting.size === 0) this.#webhooks.delete(webhook.webhookId);
  }
}
