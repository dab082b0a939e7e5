import type { MinimalLogger } from "@parley/service-runtime";
import { droppingWebhooksMax, dropWarningIntervalMs } from "./limits.js";

/**
 * Logs dropped deliveries: of each webhook the first one at once, those that follow within a minute together at its end.
 */
export function createDropWarnings(logger: MinimalLogger): (webhookId: string) => void {
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

  return (webhookId) => {
    const before = unreported.get(webhookId);
    if (before !== undefined) unreported.set(webhookId, before + 1);
    else if (unreported.size < droppingWebhooksMax) report(webhookId, 1);
  };
}
