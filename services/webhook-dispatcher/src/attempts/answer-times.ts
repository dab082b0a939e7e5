import { LRUCache } from "lru-cache";
import { rememberedReceiversMax } from "./limits.js";

/** Weight of the newest answer in the moving average. */
const newestWeight = 0.3;

/** Usual answer time of each receiver. */
export class AnswerTimes {
  readonly #times = new LRUCache<string, { average: number; lastAt: number }>({ max: rememberedReceiversMax });

  constructor(private readonly now: () => number) {}

  /** Remembers an answer, or the duration of an attempt without an answer. */
  add(receiverId: string, durationMs: number): void {
    const before = this.#times.get(receiverId)?.average ?? durationMs;
    const average = before + (durationMs - before) * newestWeight;
    this.#times.set(receiverId, { average, lastAt: this.now() });
  }

  /** Average in milliseconds, and when the last attempt ended; undefined for a receiver without attempts. */
  of(receiverId: string): { average: number; lastAt: number } | undefined {
    return this.#times.get(receiverId);
  }
}
