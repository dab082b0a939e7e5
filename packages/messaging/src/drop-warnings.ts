import type { MinimalLogger } from "@parley/service-runtime";
import { droppingWebhooksMax, dropWarningIntervalMs } from "./limits.js";

/** Warnings about dropped deliveries: one per webhook and minute, however many are dropped. */
export interface DropWarnings {
  dropped(webhookId: string): void;
}

/** The first drop is told at once, those that follow within a minute together at its end. */
export function createDropWarnings(logger: MinimalLogger): DropWarnings {
  /** Deliveries dropped since the webhook's last warning. */
  const untold = new Map<string, number>();

  const tellLater = (webhookId: string) => {
    untold.set(webhookId, 0);
    const timer = setTimeout(() => {
      const dropped = untold.get(webhookId) ?? 0;
      untold.delete(webhookId);
      if (dropped > 0) tell(webhookId, dropped);
    }, dropWarningIntervalMs);
    timer.unref();
  };
  const tell = (webhookId: string, dropped: number) => {
    logger.warn({ webhook_id: webhookId, dropped }, "deliveries dropped: their share of the queue is full");
    tellLater(webhookId);
  };

  return {
    dropped(webhookId) {
      const before = untold.get(webhookId);
      if (before !== undefined) untold.set(webhookId, before + 1);
      else if (untold.size < droppingWebhooksMax) tell(webhookId, 1);
    },
  };
}
