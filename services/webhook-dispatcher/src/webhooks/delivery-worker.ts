import { deliveryHeaders, isUuid, webhookOfDelivery } from "@parley/contracts";
import { isUnavailable, isWriteConflict } from "@parley/database";
import type { StoredMessage } from "@parley/messaging";
import { continued, type Logger, within } from "@parley/service-runtime";
import { AttemptScheduler } from "../attempts/attempt-scheduler.js";
import type { HttpClient } from "../attempts/http-client.js";
import { retryAfterOutageMs } from "../attempts/limits.js";
import { type AttemptOutcome, deliver } from "./deliver.js";
import type { DeliveryResult, DeliveryRows, DeliveryState } from "./delivery-rows.js";
import {
  deliverySlots,
  drainTimeoutMs,
  jobCheckMs,
  retryDelaysMs,
  trimIntervalMs,
  workingIntervalMs,
} from "./limits.js";
import type { DeliveryEnd, DeliveryMetrics } from "./metrics.js";

type Metrics = Pick<DeliveryMetrics, "ended" | "attempted">;

/** A delivery job of the queue. */
interface Job {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The webhook. */
  readonly receiverId: string;
  /** The owner of its server; the webhook itself until that is known, and when it is gone. */
  ownerId: string;
  readonly event: string;
  readonly body: Uint8Array;
  readonly message: StoredMessage;
  /** When its ack wait last began, by `performance.now()`. */
  touchedAt: number;
}

/**
 * Makes deliveries. A job stays in the queue until its delivery has ended, so after the death of a process another
 * process receives it.
 *
 * Moves of a job, each written to the database before the message is acked or retried:
 * - attempt succeeded → row `delivered`, acked;
 * - attempt failed, attempts left → row `pending` with the attempts so far, delivered again after the pause;
 * - last attempt failed → row `failed`, acked;
 * - process died during an attempt → nothing was written, so the same attempt is made again under the same number.
 */
export class DeliveryWorker {
  readonly scheduler: AttemptScheduler<Job>;
  readonly #rows: DeliveryRows;
  readonly #client: HttpClient;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #retryDelaysMs: readonly number[];
  /** The jobs that are not acked or retried, by delivery. */
  readonly #jobs = new Map<string, Job>();
  readonly #toTrim = new Set<string>();
  readonly #timers: NodeJS.Timeout[];
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(options: {
    rows: DeliveryRows;
    client: HttpClient;
    logger: Logger;
    metrics: Metrics;
    retryDelaysMs?: readonly number[];
  }) {
    this.#rows = options.rows;
    this.#client = options.client;
    this.#logger = options.logger;
    this.#metrics = options.metrics;
    this.#retryDelaysMs = options.retryDelaysMs ?? retryDelaysMs;
    this.scheduler = new AttemptScheduler<Job>({
      limits: deliverySlots,
      begin: (job) => void continued(job.message.header, "deliver webhook", () => this.#run(job)),
      requeue: (job, delayMs) => this.#settle(job, () => job.message.retry(delayMs)),
    });
    this.#timers = [
      setInterval(() => this.#checkJobs(), jobCheckMs),
      setInterval(() => void this.#trimLogs(), trimIntervalMs),
    ];
  }

  /** Takes a message of the queue. */
  readonly take = (message: StoredMessage): void => {
    const job = readJob(message);
    if (job === null) {
      this.#logger.error({ subject: message.subject }, "a delivery job cannot be read");
      this.#metrics.ended("unreadable");
      message.ack();
      return;
    }
    // Handed out again although it is still being worked on; if that fails, it comes once more.
    if (this.#jobs.has(job.deliveryId)) return;
    this.#jobs.set(job.deliveryId, job);
    void this.#submit(job);
  };

  /** Trims the webhook's log soon. */
  readonly trimLog = (webhookId: string): void => {
    this.#toTrim.add(webhookId);
  };

  /** Requeues waiting jobs and waits for attempts under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.scheduler.requeueWaiting();
    if (this.#jobs.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      await within(idle, drainTimeoutMs, () => undefined);
    }
    await this.#client.close();
  }

  async #submit(job: Job): Promise<void> {
    try {
      job.ownerId = (await this.#rows.owner(job.webhookId)) ?? job.webhookId;
      if (this.#closed) this.#settle(job, () => job.message.retry(0));
      else this.scheduler.submit(job);
    } catch (error) {
      if (!isUnavailable(error)) this.#logger.error({ err: error, delivery_id: job.deliveryId }, "a job has no owner");
      this.#settle(job, () => job.message.retry(retryAfterOutageMs));
    }
  }

  async #run(job: Job): Promise<void> {
    let durationMs: number | null = null;
    try {
      const state = await this.#rows.find(job);
      const end = endWithoutAttempt(state, this.#retryDelaysMs.length + 1);
      if (state === null || end !== null) {
        await this.#endWithoutAttempt(job, state, end);
        return;
      }
      const number = state.attempts + 1;
      const { deliveryId, webhookId, ownerId, body } = job;
      const { url, secret } = state;
      const outcome = await deliver(this.#client, { webhookId, ownerId, url, secret, deliveryId, number, body });
      durationMs = outcome.durationMs;
      this.#metrics.attempted(outcome);
      // The slot is freed with the connection; recording the outcome needs no slot.
      void outcome.drained.then(() => this.scheduler.done(job, durationMs));
      await this.#conclude(job, number, outcome);
    } catch (error) {
      if (!isUnavailable(error))
        this.#logger.error({ err: error, delivery_id: job.deliveryId }, "a delivery was interrupted");
      this.#settle(job, () => job.message.retry(retryAfterOutageMs));
    } finally {
      if (durationMs === null) this.scheduler.done(job, null);
    }
  }

  async #conclude(job: Job, number: number, outcome: AttemptOutcome): Promise<void> {
    const delayMs = outcome.ok ? null : (this.#retryDelaysMs[number - 1] ?? null);
    const status = outcome.ok ? "delivered" : delayMs === null ? "failed" : "pending";
    await this.#record({
      ...described(job),
      status,
      attempts: number,
      responseStatus: outcome.responseStatus,
      durationMs: outcome.durationMs,
      error: outcome.error,
      endedAt: outcome.endedAt,
      counts: true,
    });
    if (delayMs === null) {
      this.#metrics.ended(outcome.ok ? "delivered" : "failed");
      this.trimLog(job.webhookId);
      this.#settle(job, () => job.message.ack());
    } else {
      // The pause began when the attempt failed, not when that was written down.
      const leftMs = Math.max(0, outcome.endedAt.getTime() + delayMs - Date.now());
      this.#settle(job, () => job.message.retry(leftMs));
    }
  }

  /** The webhook was deleted or disabled, or the delivery ended before, as the queue may deliver a job twice. */
  async #endWithoutAttempt(job: Job, state: DeliveryState | null, end: DeliveryEnd | null): Promise<void> {
    if (end === "webhook_disabled" && state?.logged) {
      await this.#record({
        ...described(job),
        status: "failed",
        attempts: state.attempts,
        responseStatus: null,
        durationMs: null,
        error: "The webhook was disabled",
        endedAt: new Date(),
        counts: false,
      });
    }
    if (end !== null && !state?.finished) this.#metrics.ended(end);
    this.#settle(job, () => job.message.ack());
  }

  /**
   * Writes the result however long the database is away: without the row, the dispatcher would send the delivery again.
   */
  async #record(result: DeliveryResult): Promise<void> {
    for (;;) {
      try {
        return await this.#rows.record(result);
      } catch (error) {
        if (!isUnavailable(error) && !isWriteConflict(error)) throw error;
        if (this.#closed) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryAfterOutageMs));
      }
    }
  }

  #settle(job: Job, settle: () => void): void {
    if (this.#jobs.get(job.deliveryId) !== job) return;
    this.#jobs.delete(job.deliveryId);
    settle();
    if (this.#jobs.size === 0) this.#idle?.();
  }

  #checkJobs(): void {
    const now = performance.now();
    for (const job of this.#jobs.values()) {
      if (now - job.touchedAt < workingIntervalMs) continue;
      job.touchedAt = now;
      job.message.working();
    }
    this.scheduler.expireWaiting();
  }

  async #trimLogs(): Promise<void> {
    const webhookIds = [...this.#toTrim];
    if (webhookIds.length === 0) return;
    this.#toTrim.clear();
    await this.#rows.trim(webhookIds).catch((error: unknown) => {
      this.#logger.warn({ err: error }, "the delivery log could not be trimmed");
    });
  }
}

/** Why nothing is to be sent; null when an attempt is due. */
function endWithoutAttempt(state: DeliveryState | null, attemptsMax: number): DeliveryEnd | null {
  if (state === null) return "webhook_deleted";
  if (state.finished) return "delivered";
  if (!state.enabled) return "webhook_disabled";
  return state.attempts >= attemptsMax ? "failed" : null;
}

function described({ deliveryId, webhookId, event, body }: Job) {
  return { deliveryId, webhookId, event, body: Buffer.from(body).toString("utf8") };
}

/** @returns null when the message is no job that this version understands */
function readJob(message: StoredMessage): Job | null {
  const deliveryId = message.header(deliveryHeaders.deliveryId);
  const event = message.header(deliveryHeaders.event);
  const webhookId = webhookOfDelivery(message.subject);
  if (!isUuid(deliveryId) || event === null || !isUuid(webhookId)) return null;
  return {
    deliveryId,
    webhookId,
    receiverId: webhookId,
    ownerId: webhookId,
    event,
    body: message.body,
    message,
    touchedAt: performance.now(),
  };
}
