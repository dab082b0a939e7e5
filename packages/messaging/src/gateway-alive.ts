import { subjects } from "@parley/contracts";
import { ErrorCode, NatsError } from "nats";
import type { Messaging } from "./connect.js";

/**
 * Answers requests whether this gateway process lives. When the process has died, NATS reports at once that nobody
 * answers, because its connection has ended with it.
 *
 * @param gatewayId id of this process alone: a restarted one has another
 * @returns a function that stops it
 */
export function answerAlive(messaging: Messaging, gatewayId: string): () => void {
  const subscription = messaging.nats.subscribe(subjects.gatewayAlive(gatewayId), {
    callback: (error, message) => {
      if (error === null) message.respond();
    },
  });
  return () => subscription.unsubscribe();
}

/**
 * Whether a gateway process has ended. One that does not answer in time counts as alive: it may be busy.
 *
 * @param timeoutMs how long to wait
 */
export async function isGatewayGone(messaging: Messaging, gatewayId: string, timeoutMs: number): Promise<boolean> {
  if (!messaging.connected) return false;
  try {
    await messaging.nats.request(subjects.gatewayAlive(gatewayId), "", { timeout: timeoutMs });
    return false;
  } catch (error) {
    return error instanceof NatsError && error.code === ErrorCode.NoResponders;
  }
}
