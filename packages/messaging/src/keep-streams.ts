import type { MinimalLogger } from "@parley/service-runtime";
import type { Messaging } from "./connect.js";
import { ensureStreams, type StreamSettings } from "./streams.js";

/**
 * Ensures the streams now and after every reconnect, because a NATS server may come back without its data.
 *
 * @throws NatsError when they cannot be ensured now; later failures are logged, and the next reconnect tries again
 */
export async function keepStreams(
  messaging: Messaging,
  { settings, logger }: { settings: StreamSettings; logger: MinimalLogger },
): Promise<void> {
  await ensureStreams(messaging, settings);
  messaging.onConnectionChange((connected) => {
    if (!connected) return;
    ensureStreams(messaging, settings).catch((error: unknown) => {
      logger.warn({ err: error }, "the streams could not be ensured after a reconnect");
    });
  });
}
