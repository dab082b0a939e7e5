import { randomUUID } from "node:crypto";
import type { ReadPush } from "@parley/contracts";
import type { Database } from "@parley/database";
import { createBatcher, type Logger, repeat, within } from "@parley/service-runtime";
import { AttemptScheduler } from "../attempts/attempt-scheduler.js";
import { statementBatchMax, statementsInFlightMax } from "../attempts/limits.js";
import { type ClaimedMessages, type ClaimedRead, claimMessages, claimReads } from "./claim-rows.js";
import { judge, type Verdict } from "./judge.js";
import { claimedMax, pushDrainTimeoutMs, pushIntervalMs, pushSlots } from "./limits.js";
import type { PushMetrics } from "./metrics.js";
import {
  type AttemptResult,
  type AttemptStart,
  createOutcomeRows,
  type PushStart,
  type ReadAgain,
  type ReadStart,
} from "./outcome-rows.js";
import { createPreparation, type LookedAt, type Prepared } from "./prepare.js";
import type { SendPush } from "./send-push.js";
import { ServicePauses } from "./service-pauses.js";

/** A push that this process is to make: of messages, or of a channel that was read. */
interface Job {
  /** The push service. */
  receiverId: string;
  /** The account of the device. */
  ownerId: string;
  body: Buffer;
  isUrgent: boolean;
  work: MessageWork | ReadWork;
}
interface MessageWork {
  kind: "message";
  claimed: ClaimedMessages;
  beginning: PushStart;
  /** The messages in the push. */
  pushedIds: readonly string[];
}
interface ReadWork {
  kind: "read";
  claimed: ClaimedRead;
}

/**
 * Sends the due pushes of devices (docs/processes/webhook-dispatcher.md#push). Each has a row, so any number of processes share the
 * work, and the others go on with the work of one that dies.
 *
 * States of a device: free → claimed, with the messages of one channel or one that was read → prepared, which drops
 * messages that are no longer due → waiting for a slot → begun, in a statement that checks once more, right before the
 * first byte → free.
 */
export class PushWorker {
  readonly scheduler: AttemptScheduler<Job>;
  readonly pauses = new ServicePauses();
  readonly #sender = randomUUID();
  readonly #running = new Set<Promise<void>>();
  readonly #prepare: (claims: readonly ClaimedMessages[]) => Promise<Prepared[]>;
  readonly #begin: (begun: AttemptStart<PushStart>) => Promise<boolean>;
  readonly #beginRead: (begun: AttemptStart<ReadStart>) => Promise<boolean>;
  readonly #end: (ending: AttemptResult) => Promise<void>;
  readonly #readAgain: (read: ReadAgain) => Promise<void>;
  readonly #stop: () => Promise<void>;
  #closing = false;

  constructor(
    private readonly options: {
      database: Pick<Database, "query" | "execute" | "transaction">;
      send: SendPush;
      lookedAt: LookedAt;
      logger: Logger;
      metrics: PushMetrics;
      intervalMs?: number | undefined;
    },
  ) {
    const { database, lookedAt, logger, intervalMs = pushIntervalMs } = options;
    const rows = createOutcomeRows({ database, sender: this.#sender });
    const batched = <In, Out>(work: (items: readonly In[]) => Promise<readonly Out[]>) =>
      createBatcher<In, Out>({ work, batchMax: statementBatchMax, inFlightMax: statementsInFlightMax });
    const written = <In>(write: (items: readonly In[]) => Promise<void>) =>
      batched<In, void>(async (items) => {
        await write(items);
        return items.map(() => undefined);
      });
    this.#begin = batched(rows.begin);
    this.#beginRead = batched(rows.beginRead);
    this.#end = written(rows.end);
    this.#readAgain = written(rows.readAgain);
    this.#prepare = createPreparation({ database, lookedAt, logger });
    this.scheduler = new AttemptScheduler<Job>({
      limits: pushSlots,
      begin: (job) => this.#track(this.#attempt(job)),
      requeue: ({ work }, delayMs) => this.#track(this.#free(work.claimed.id, delayMs)),
    });
    this.#stop = repeat(async () => {
      this.scheduler.expireWaiting();
      await this.wake();
    }, intervalMs);
  }

  /** Claims every due push; calls that come meanwhile become one more claim. Never rejects. */
  readonly wake = createBatcher<void, void>({
    batchMax: Number.MAX_SAFE_INTEGER,
    inFlightMax: 1,
    work: async (calls) => {
      await this.#claimAll().catch((err: unknown) => {
        this.options.logger.warn({ err }, "pushes cannot be claimed yet");
      });
      return calls.map(() => undefined);
    },
  });

  /** Gives waiting pushes back, and waits for pushes under way. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#stop();
    this.scheduler.requeueWaiting();
    const ended = async () => {
      while (this.#running.size > 0) await Promise.all(this.#running);
    };
    await within(ended(), pushDrainTimeoutMs, () => undefined);
  }

  async #claimAll(): Promise<void> {
    const { database } = this.options;
    for (;;) {
      const room = claimedMax - this.scheduler.running - this.scheduler.waiting;
      if (this.#closing || room <= 0) return;
      const reads = await claimReads(database, this.#sender, room);
      for (const claimed of this.#leavePaused(reads)) this.#submit({ kind: "read", claimed }, readPush(claimed), false);
      const claims = await claimMessages(database, this.#sender, room);
      const isEarly = ({ wait_ms }: ClaimedMessages) => wait_ms > 0;
      for (const claimed of claims.filter(isEarly)) this.#track(this.#leave(claimed, claimed.wait_ms));
      const due = this.#leavePaused(claims.filter((claimed) => !isEarly(claimed)));
      for (const prepared of await this.#prepare(due)) this.#take(prepared);
      if (reads.length < room && claims.length < room) return;
    }
  }

  /** Frees the devices whose push service has a pause, until its end. @returns the others */
  #leavePaused<Claimed extends ClaimedMessages | ClaimedRead>(claims: readonly Claimed[]): Claimed[] {
    return claims.filter(({ id, endpoint }) => {
      const leftMs = this.pauses.leftMs(new URL(endpoint).origin);
      if (leftMs > 0) this.#track(this.#free(id, leftMs));
      return leftMs <= 0;
    });
  }

  #take({ claimed, due }: Prepared): void {
    if (due === null) {
      this.options.metrics.ended("silent");
      this.#track(this.#leave(claimed, null));
      return;
    }
    const { id: subscriptionId, channel_id: channelId, message_ids: messageIds } = claimed;
    const { push, isUrgent, messageAt, messageIds: pushedIds } = due;
    const beginning = { subscriptionId, channelId, messageIds, messageAt };
    this.#submit({ kind: "message", claimed, beginning, pushedIds }, push, isUrgent);
  }

  #submit(work: Job["work"], payload: object, isUrgent: boolean): void {
    const { endpoint, user_id: ownerId } = work.claimed;
    const receiverId = new URL(endpoint).origin;
    this.scheduler.submit({ receiverId, ownerId, body: Buffer.from(JSON.stringify(payload)), isUrgent, work });
  }

  async #attempt(job: Job): Promise<void> {
    const { work, ownerId, body, isUrgent } = job;
    const { id: subscriptionId, channel_id: channelId, endpoint, p256dh, auth, failures } = work.claimed;
    const begin = (write: () => void) =>
      work.kind === "message"
        ? this.#begin({ what: work.beginning, write })
        : this.#beginRead({ what: { subscriptionId, channelId }, write });
    const result = await this.options.send({ endpoint, ownerId, p256dh, auth, payload: body, isUrgent, begin });
    const { refused, status, durationMs } = result;
    if (!refused) this.pauses.ended(job.receiverId, { isAnswered: status !== null, durationMs });
    this.scheduler.done(job, refused ? null : durationMs);
    const verdict = judge(result, failures);
    if (verdict.outcome !== "unasked") this.options.metrics.attempted(verdict.outcome, result.durationMs);
    if (verdict.outcome === "taken") this.options.metrics.ended("taken");
    else if (verdict.outcome !== "unasked") this.options.metrics.ended(verdict.againMs === null ? "given_up" : "again");
    if (work.kind === "message") await this.#endMessages(work, verdict);
    else await this.#endRead(work, verdict, result.begun);
    void this.wake();
  }

  async #endMessages({ claimed, pushedIds }: MessageWork, { outcome, againMs, failures }: Verdict): Promise<void> {
    const { id: subscriptionId, channel_id: channelId } = claimed;
    const isSettled = outcome === "unasked" || outcome === "gone";
    const messages = isSettled ? [] : pushedIds.map((id) => ({ id, againMs, failures }));
    await this.#end({ subscriptionId, outcome, retryMs: againMs, channelId, messages });
  }

  async #endRead({ claimed }: ReadWork, { outcome, againMs, failures }: Verdict, begun: boolean): Promise<void> {
    const { id: subscriptionId, channel_id: channelId, pushed_at: pushedAt, message_at: messageAt } = claimed;
    if (againMs !== null) {
      await this.#readAgain({ subscriptionId, channelId, pushedAt, messageAt, againMs, failures });
    } else if (!begun && outcome === "failing") {
      await this.#beginRead({ what: { subscriptionId, channelId }, write: () => undefined });
    }
    await this.#end({ subscriptionId, outcome, retryMs: againMs, channelId: null, messages: [] });
  }

  /** Frees a device whose messages are due after the delay, or never. */
  #leave({ id: subscriptionId, message_ids, failures }: ClaimedMessages, againMs: number | null): Promise<void> {
    const messages = message_ids.map((id) => ({ id, againMs, failures }));
    return this.#end({ subscriptionId, outcome: "unasked", retryMs: null, channelId: null, messages });
  }

  /** Frees a device that was not sent to. */
  #free(subscriptionId: string, delayMs: number): Promise<void> {
    const retryMs = delayMs > 0 ? delayMs : null;
    return this.#end({ subscriptionId, outcome: "unasked", retryMs, channelId: null, messages: [] });
  }

  /** If this write fails, the lease decides: after its end another process sends every push that did not begin. */
  #track(work: Promise<void>): void {
    const running = work
      .catch((err: unknown) => this.options.logger.warn({ err }, "what became of a push could not be written"))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const readPush = ({ channel_id: tag }: ClaimedRead): ReadPush => ({ type: "read", tag });
