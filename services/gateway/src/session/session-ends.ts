import { subjects } from "@parley/contracts";
import { type Messaging, subscribeLive } from "@parley/messaging";
import type { Presence } from "@parley/presence";

/**
 * Ends the presence that lost connections keep when all account sessions of a user end (docs/protocol/continuing.md#19.4). The
 * gateway that had the connection has no subscription for the user any more, or is dead. Therefore every gateway
 * receives the notices of all users, and the first call to Redis ends the presence. After a lost notice it ends with
 * its grace, as it does for a bot with a new token: that one may continue.
 *
 * @returns a function that stops it
 */
export function watchSessionEnds(options: {
  messaging: Messaging;
  presence: Pick<Presence, "cancelGrace">;
}): () => void {
  const { messaging, presence } = options;
  const subscription = subscribeLive(messaging, subjects.liveSessionEnds, ({ address, facts }) => {
    if (address.scope.kind === "user" && facts.ends === "all") void presence.cancelGrace(address.scope.userId);
  });
  return () => subscription.unsubscribe();
}
