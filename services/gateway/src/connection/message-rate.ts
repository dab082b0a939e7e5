import { clientMessagesPerSecondMax } from "@parley/contracts";
import { messageWindowMs } from "../limits.js";

/**
 * Admits at most {@link clientMessagesPerSecondMax} messages in any window of {@link messageWindowMs} (a sliding log).
 * Only the times of messages admitted within the last window are kept, so that a client that only sends heartbeats
 * costs little.
 */
export class MessageRate {
  #admitted: number[] = [];

  /** @param now milliseconds of a monotonic clock */
  admit(now: number): boolean {
    const [oldest] = this.#admitted;
    if (oldest !== undefined && now - oldest >= messageWindowMs) {
      this.#admitted = this.#admitted.filter((time) => now - time < messageWindowMs);
    }
    if (this.#admitted.length >= clientMessagesPerSecondMax) return false;
    this.#admitted.push(now);
    return true;
  }
}
