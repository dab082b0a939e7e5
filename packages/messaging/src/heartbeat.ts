import { subjects } from "@parley/contracts";
import type { Subscription } from "nats";
import type { Messaging } from "./connect.js";
import { readSequences } from "./subscribe.js";

/** Stores an empty event, whose only content is its sequence number. Lost without harm while NATS is out of reach. */
export function publishHeartbeat(messaging: Messaging): void {
  if (messaging.connected) messaging.nats.publish(subjects.storedHeartbeat);
}

/**
 * Subscribes to the heartbeats that any process stores.
 *
 * @param handler called with the heartbeat's sequence in the stream EVENTS; must not throw
 */
export function subscribeHeartbeats(messaging: Messaging, handler: (sequence: number) => void): Subscription {
  return messaging.nats.subscribe(subjects.liveHeartbeat, {
    callback: (error, message) => {
      const stored = error === null ? readSequences(message.headers) : null;
      if (stored !== null) handler(stored.sequence);
    },
  });
}
