import { LRUCache } from "lru-cache";
import { quickAnswerMs, rememberedReceiversMax } from "../attempts/limits.js";
import { pushServicePauseMaxMs, pushServicePauseMs } from "./limits.js";

/** The state of a push service; times by `now`. */
interface Service {
  answeredAt: number;
  pausedAt: number;
  pauseMs: number;
}

/**
 * Pauses of push services that hang. One begins when an attempt ends without an answer although it had time, and the service has answered
 * no other attempt meanwhile. An answer ends the pause.
 */
export class ServicePauses {
  readonly #services = new LRUCache<string, Service>({ max: rememberedReceiversMax });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Remembers how an attempt ended. */
  ended(origin: string, { isAnswered, durationMs }: { isAnswered: boolean; durationMs: number }): void {
    const now = this.now();
    const { answeredAt, pausedAt, pauseMs } = this.#services.get(origin) ?? {
      answeredAt: Number.NEGATIVE_INFINITY,
      pausedAt: Number.NEGATIVE_INFINITY,
      pauseMs: 0,
    };
    const beganAt = now - durationMs;
    if (isAnswered) {
      this.#services.set(origin, { answeredAt: now, pausedAt: Number.NEGATIVE_INFINITY, pauseMs: 0 });
    } else if (durationMs > quickAnswerMs && answeredAt < beganAt && pausedAt < beganAt) {
      // Only the first of attempts that hang at the same time makes the pause longer.
      const longer = Math.min(Math.max(pushServicePauseMs, pauseMs * 2), pushServicePauseMaxMs);
      this.#services.set(origin, { answeredAt, pausedAt: now, pauseMs: longer });
    }
  }

  /** Milliseconds until the service may be asked again; 0 or less without a pause. */
  leftMs(origin: string): number {
    const service = this.#services.get(origin);
    return service === undefined ? 0 : service.pausedAt + service.pauseMs - this.now();
  }

  /** How many services have a pause now. */
  get count(): number {
    return [...this.#services.keys()].filter((origin) => this.leftMs(origin) > 0).length;
  }
}
