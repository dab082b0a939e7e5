import { randomUUID } from "node:crypto";
import { subjects } from "@parley/contracts";
import type { Subscription } from "nats";
import type { Messaging } from "./connect.js";
import { toHeaders } from "./publish.js";
import { messageIdHeader, readHeader, readSequences } from "./subscribe.js";

/**
 * Stores an empty event, whose only content is its sequence in the stream. Lost without harm while NATS is out of reach.
 *
 * @returns its id; null when there is no connection
 */
export function publishHeartbeat(messaging: Messaging): string | null {
  if (!messaging.connected) return null;
  const id = randomUUID();
  messaging.nats.publish(subjects.storedHeartbeat, undefined, { headers: toHeaders({ [messageIdHeader]: id }) });
  return id;
}

/**
 * Subscribes to the heartbeats that any process stores.
 *
 * @param handler called with the heartbeat's sequence in the stream EVENTS and its id; must not throw
 */
export function subscribeHeartbeats(
  messaging: Messaging,
  handler: (sequence: number, id: string | null) => void,
): Subscription {
  return messaging.nats.subscribe(subjects.liveHeartbeat, {
    callback: (error, message) => {
      const stored = error === null ? readSequences(message.headers) : null;
      if (stored !== null) handler(stored.sequence, readHeader(message.headers, messageIdHeader));
    },
  });
}
