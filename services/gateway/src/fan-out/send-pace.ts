import { comemberSendsBurst, comemberSendsPerMs, comemberWindowMaxMs } from "../limits.js";

/**
 * How long events for co-members wait: not at all until {@link comemberSendsBurst} frames were sent faster than
 * {@link comemberSendsPerMs}; then as long as that rate needs to catch up, at most {@link comemberWindowMaxMs}.
 */
export class SendPace {
  /** Frames that were sent too early, at `#at`. */
  #ahead = 0;
  #at = 0;

  /** @param now by `performance.now()` */
  count(sends: number, now: number): void {
    const most = comemberSendsBurst + comemberWindowMaxMs * comemberSendsPerMs;
    this.#ahead = Math.min(this.#aheadAt(now) + sends, most);
    this.#at = now;
  }

  waitMs(now: number): number {
    return Math.max(0, this.#aheadAt(now) - comemberSendsBurst) / comemberSendsPerMs;
  }

  #aheadAt(now: number): number {
    return Math.max(0, this.#ahead - (now - this.#at) * comemberSendsPerMs);
  }
}
