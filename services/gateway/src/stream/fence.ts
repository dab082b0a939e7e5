import { type Messaging, publishHeartbeat } from "@parley/messaging";
import { createBatcher, within } from "@parley/service-runtime";
import { fenceBatchMax, sharedReadRestFactor, synchroniseTimeoutMs } from "../limits.js";

/** Waits until everything that the stream stored so far has been received. */
export interface Fence {
  /** False when no answer came in time. Callers at the same time share one. */
  pass(): Promise<boolean>;
  /** A heartbeat was received. */
  received(id: string | null): void;
}

/**
 * The stream republishes in the order in which it stores, and one connection receives in the order of publication. So
 * once a heartbeat of one's own has come back, all that was stored before it has been received. Asking the stream for
 * its last sequence would not prove that: it stores before it republishes.
 */
export function createFence({ messaging }: { messaging: Messaging }): Fence {
  const waiting = new Map<string, () => void>();

  async function passOnce(): Promise<boolean> {
    const id = publishHeartbeat(messaging);
    if (id === null) return false;
    const back = new Promise<boolean>((resolve) => waiting.set(id, () => resolve(true)));
    try {
      return await within(messaging.whileConnected(back), synchroniseTimeoutMs, () => false);
    } catch {
      return false;
    } finally {
      waiting.delete(id);
    }
  }

  const pass = createBatcher({
    work: async (callers: readonly undefined[]) => {
      const isPassed = await passOnce();
      return callers.map(() => isPassed);
    },
    batchMax: fenceBatchMax,
    inFlightMax: 1,
    restFactor: sharedReadRestFactor,
  });
  return {
    pass: () => pass(undefined),
    received(id) {
      if (id !== null) waiting.get(id)?.();
    },
  };
}
