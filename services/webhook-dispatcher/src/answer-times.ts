import { LRUCache } from "lru-cache";
import { rememberedWebhooksMax } from "./limits.js";

/** Weight of the newest answer in the moving average. */
const newestWeight = 0.3;

/** How long each webhook usually takes to answer; the memory is bounded, the longest unused is forgotten. */
export class AnswerTimes {
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
