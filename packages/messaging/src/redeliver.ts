import type { MinimalLogger } from "@parley/service-runtime";
import { NatsError } from "nats";
import type { Messaging } from "./connect.js";
import type { StoredMessage } from "./consume.js";
import { redeliveryAttemptsMax, redeliveryPauseMaxMs } from "./limits.js";

/** A message that its handler could not handle. */
export interface FailedMessage {
  messaging: Messaging;
  message: StoredMessage;
  /** Name of the durable consumer. */
  consumer: string;
  error: unknown;
  /** Whether the error says nothing about the message: a server is out of reach. */
  isOutage: boolean;
  /** The pause before the second attempt; each further one is twice as long, {@link redeliveryPauseMaxMs} at most. */
  retryMs: number;
  logger: MinimalLogger;
}

/**
 * Asks for another delivery of a message after a failure. During an outage it asks for as long as the stream keeps it;
 * one that fails by itself {@link redeliveryAttemptsMax} times is given up, with a line of the log and a count.
 */
export function redeliver(failed: FailedMessage): void {
  const { messaging, message, consumer, error, isOutage, retryMs, logger } = failed;
  const about = { err: error, consumer, event_id: message.id, attempt: message.attempt };
  if (isOutage || error instanceof NatsError || !messaging.connected) {
    logger.warn(about, "an event could not be handled yet");
    message.retry(retryMs);
  } else if (message.attempt >= redeliveryAttemptsMax) {
    logger.warn({ ...about, subject: message.subject }, "an event is given up: it fails each time");
    messaging.givenUp.set(consumer, (messaging.givenUp.get(consumer) ?? 0) + 1);
    message.giveUp();
  } else {
    logger.warn(about, "an event could not be handled yet");
    message.retry(Math.min(retryMs * 2 ** (message.attempt - 1), Math.max(retryMs, redeliveryPauseMaxMs)));
  }
}
