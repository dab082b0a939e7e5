import { setTimeout as pause } from "node:timers/promises";
import type { Messaging } from "@parley/messaging";
import { probePauseMs, probeTimeoutMs } from "./limits.js";

/**
 * Whether this process can store events in the stream.
 *
 * usable   → doubtful  the connection is lost, or an event was not acknowledged in time doubtful → usable    NATS
 * answers in time
 *
 * While it is doubtful, publishing is left to the relay, so that nobody waits for NATS with a lock.
 */
export class StreamLink {
  readonly #messaging: Messaging;
  readonly #removeListener: () => void;
  #isUsable = true;
  #isProbing = false;
  #isClosed = false;

  constructor(messaging: Messaging) {
    this.#messaging = messaging;
    this.#removeListener = messaging.onConnectionChange(() => this.markDoubtful());
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#messaging.connected;
  }

  markDoubtful(): void {
    this.#isUsable = false;
    if (!this.#isProbing) void this.#probe();
  }

  close(): void {
    this.#isClosed = true;
    this.#removeListener();
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    while (!this.#isUsable && !this.#isClosed) {
      try {
        await this.#messaging.ping(probeTimeoutMs);
        this.#isUsable = true;
      } catch {
        await pause(probePauseMs, undefined, { ref: false });
      }
    }
    this.#isProbing = false;
  }
}
