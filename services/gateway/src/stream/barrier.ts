import { type Messaging, publishHeartbeat } from "@parley/messaging";
import { createBatcher, within } from "@parley/service-runtime";
import { barrierBatchMax, sharedReadRestFactor, synchroniseTimeoutMs } from "../limits.js";

/**
 * Waits until everything that the stream stored so far has been received.
 *
 * The stream republishes in the order in which it stores, and one connection receives in the order of publication. So
 * once a heartbeat of one's own has come back, all that was stored before it has been received. Asking the stream for
 * its last sequence would not prove that: it stores before it republishes.
 */
export class StreamBarrier {
  readonly #messaging: Messaging;
  /** By the id of the heartbeat that each waits for. */
  readonly #waiting = new Map<string, () => void>();
  readonly #shared = createBatcher({
    work: async (callers: readonly undefined[]) => {
      const isReached = await this.#waitOnce();
      return callers.map(() => isReached);
    },
    batchMax: barrierBatchMax,
    inFlightMax: 1,
    restFactor: sharedReadRestFactor,
  });

  constructor(messaging: Messaging) {
    this.#messaging = messaging;
  }

  /** False when no answer came in time. Callers at the same time share one. */
  wait(): Promise<boolean> {
    return this.#shared(undefined);
  }

  /** A heartbeat was received. */
  received(id: string | null): void {
    if (id !== null) this.#waiting.get(id)?.();
  }

  async #waitOnce(): Promise<boolean> {
    const id = publishHeartbeat(this.#messaging);
    if (id === null) return false;
    const back = new Promise<boolean>((resolve) => this.#waiting.set(id, () => resolve(true)));
    try {
      return await within(this.#messaging.whileConnected(back), synchroniseTimeoutMs, () => false);
    } catch {
      return false;
    } finally {
      this.#waiting.delete(id);
    }
  }
}
