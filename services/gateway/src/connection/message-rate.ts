import { messagesPerWindowMax, messageWindowMs } from "../limits.js";

/**
 * Admits at most {@link messagesPerWindowMax} messages in any window of {@link messageWindowMs}. It keeps the times of
 * those admitted within the last window only, so that a client that just sends heartbeats costs next to nothing.
 */
export class MessageRate {
  #admitted: number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  admit(now: number): boolean {
    const [oldest] = this.#admitted;
    if (oldest !== undefined && now - oldest >= messageWindowMs) {
      this.#admitted = this.#admitted.filter((time) => now - time < messageWindowMs);
    }
    if (this.#admitted.length >= messagesPerWindowMax) return false;
    this.#admitted.push(now);
    return true;
  }
}
