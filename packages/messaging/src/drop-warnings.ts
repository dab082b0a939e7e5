import type { MinimalLogger } from "@parley/service-runtime";
import { droppingWebhooksMax, dropWarningIntervalMs } from "./limits.js";

/** Warnings about dropped deliveries: one per webhook and minute, however many are dropped. */
export interface DropWarnings {
  dropped(webhookId: string): void;
}

/** The first drop is logged at once, those that follow within a minute together at its end. */
export function createDropWarnings(logger: MinimalLogger): DropWarnings {
  /** Deliveries dropped since the webhook's last warning. */
  const unreported = new Map<string, number>();

  const reportLater = (webhookId: string) => {
    unreported.set(webhookId, 0);
    const timer = setTimeout(() => {
      const dropped = unreported.get(webhookId) ?? 0;
      unreported.delete(webhookId);
      if (dropped > 0) report(webhookId, dropped);
    }, dropWarningIntervalMs);
    timer.unref();
  };
  const report = (webhookId: string, dropped: number) => {
    logger.warn({ webhook_id: webhookId, dropped }, "deliveries dropped: their share of the queue is full");
    reportLater(webhookId);
  };

  return {
    dropped(webhookId) {
      const before = unreported.get(webhookId);
      if (before !== undefined) unreported.set(webhookId, before + 1);
      else if (unreported.size < droppingWebhooksMax) report(webhookId, 1);
    },
  };
}
