import { continued, type MinimalLogger } from "@parley/service-runtime";
import type { Messaging } from "./connect.js";
import { type Consumption, consume, type DurableConsumer, type StoredMessage } from "./consume.js";
import { redeliver } from "./redeliver.js";

/**
 * Reads a durable consumer with a handler that takes its time: a message is acked when it resolves, and delivered again after
 * `retryMs` when it rejects, as {@link redeliver} says.
 *
 * @param options.isOutage whether an error says nothing about the message
 * @param options.handledMax most messages that are being handled in this process
 */
export function consumeEach(options: {
  messaging: Messaging;
  consumer: DurableConsumer;
  handledMax: number;
  retryMs: number;
  handle: (message: StoredMessage) => Promise<void>;
  isOutage: (error: unknown) => boolean;
  logger: MinimalLogger;
}): Consumption {
  const { messaging, consumer, handledMax, retryMs, handle, isOutage, logger } = options;
  let handled = 0;
  let onCapacity: (() => void) | null = null;
  const take = (message: StoredMessage) => continued(message.header, consumer.name, () => takeOne(message));
  const takeOne = async (message: StoredMessage) => {
    try {
      await handle(message);
      message.ack();
    } catch (error) {
      const how = { consumer: consumer.name, isOutage: isOutage(error), retryMs, logger };
      redeliver({ messaging, message, error, ...how });
    }
  };
  return consume({
    messaging,
    logger,
    consumer,
    async demand() {
      if (handled >= handledMax) {
        await new Promise<void>((resolve) => {
          onCapacity = resolve;
        });
      }
      return handledMax - handled;
    },
    handler(message) {
      handled += 1;
      void take(message).finally(() => {
        handled -= 1;
        onCapacity?.();
        onCapacity = null;
      });
    },
  });
}
