import { randomUUID } from "node:crypto";
import { payloadOfFrame } from "@parley/contracts";
import type { Database } from "@parley/database";
import { claimBatchMax, claimForDispatcher, releaseInteractions } from "@parley/interactions";
import { type Messaging, notify } from "@parley/messaging";
import { createBatcher, type Logger, within } from "@parley/service-runtime";
import { AttemptScheduler } from "../attempts/attempt-scheduler.js";
import type { HttpClient } from "../attempts/http-client.js";
import { statementBatchMax } from "../attempts/limits.js";
import { askBot, type BotReply, type BotRequest, expired } from "./ask-bot.js";
import { interactionCheckMs, interactionDrainTimeoutMs, interactionSlots } from "./limits.js";

/**
 * Asks bots by HTTP (docs/processes/interactions.md#interactions). This process alone sends a claimed interaction, once: when the
 * process dies, the interaction expires. An api takes the bot's answer.
 *
 * Moves of an interaction: claimed → waiting for a slot → asked → its answer goes to an api; one that finds no room to
 * wait, or no slot in time, fails; a process that stops gives back the waiting ones.
 */
export class InteractionWorker {
  readonly scheduler: AttemptScheduler<BotRequest>;
  readonly #dispatcherId = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #givenBack: string[] | null = null;

  constructor(
    private readonly options: {
      database: Pick<Database, "query">;
      messaging: Messaging;
      client: HttpClient;
      logger: Logger;
      /** Counts the result of a request. */
      count: (reply: BotReply) => void;
    },
  ) {
    this.scheduler = new AttemptScheduler<BotRequest>({
      limits: interactionSlots,
      begin: (job) => this.#begin(job),
      requeue: ({ interactionId }) => {
        if (this.#givenBack === null) this.#end(interactionId, expired);
        else this.#givenBack.push(interactionId);
      },
    });
    this.#timer = setInterval(() => this.scheduler.expireWaiting(), interactionCheckMs);
  }

  /** Claims every waiting interaction; notices that come meanwhile become one more claim. */
  readonly claim = createBatcher<unknown, undefined>({
    batchMax: statementBatchMax,
    inFlightMax: 1,
    work: async (notices) => {
      await this.#claimAll();
      return notices.map(() => undefined);
    },
  });

  /** Gives waiting interactions back, and waits for requests under way. */
  async close(): Promise<void> {
    const { database, messaging, client, logger } = this.options;
    clearInterval(this.#timer);
    const givenBack: string[] = [];
    this.#givenBack = givenBack;
    this.scheduler.requeueWaiting();
    if (givenBack.length > 0) {
      await releaseInteractions(database, this.#dispatcherId, givenBack)
        .then(() => notify(messaging, "interactionsWaiting", {}))
        .catch((err: unknown) => logger.warn({ err }, "interactions of a stopping process fail"));
    }
    await within(Promise.all(this.#running), interactionDrainTimeoutMs, () => undefined);
    await client.close();
  }

  async #claimAll(): Promise<void> {
    for (;;) {
      const rows = await claimForDispatcher(this.options.database, this.#dispatcherId);
      const now = performance.now();
      for (const { id, bot_id, owner_id, url, secret, frame, left_ms } of rows) {
        const body = Buffer.from(payloadOfFrame("INTERACTION_CREATE", frame) ?? frame);
        const dueAt = now + left_ms;
        this.scheduler.submit({ interactionId: id, receiverId: bot_id, ownerId: owner_id, url, secret, body, dueAt });
      }
      if (rows.length < claimBatchMax) return;
    }
  }

  #begin(job: BotRequest): void {
    const running = this.#ask(job).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #ask(job: BotRequest): Promise<void> {
    const reply = await askBot(this.options.client, job);
    this.scheduler.done(job, reply.outcome === "expired" ? null : reply.durationMs);
    this.#end(job.interactionId, reply);
  }

  /** An api takes the answer; without one the interaction fails. */
  #end(id: string, reply: BotReply): void {
    this.options.count(reply);
    if (reply.outcome !== "later") notify(this.options.messaging, "interactionAnswered", { id, body: reply.answer });
  }
}
