import { events, subjects } from "@parley/contracts";
import { type Messaging, subscribeLive } from "@parley/messaging";
import type { Presence } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";

/**
 * Ends the presence that lost connections keep when all account sessions of a user end (docs/interface.md#19.4). The
 * gateway that had the connection has no subscription for the user any more, or is dead. Therefore every gateway
 * receives the notices of all users, and the first call to Redis ends the presence. After a lost notice it ends with
 * its grace, as it does for a bot with a new token: that one may continue.
 *
 * @returns a function that stops it
 */
export function watchSessionEnds(options: {
  messaging: Messaging;
  presence: Pick<Presence, "cancelGrace">;
  logger: Logger;
}): () => void {
  const { messaging, presence, logger } = options;
  const subscription = subscribeLive(messaging, subjects.liveSessionEnds, ({ address, body }) => {
    if (address.scope.kind !== "user" || address.event !== "SESSION_CLOSE") return;
    try {
      const payload: unknown = JSON.parse(Buffer.from(body).toString());
      const { connection_id, session_id, before_version } = events.SESSION_CLOSE.payload.parse(payload);
      const isOfAll = connection_id === null && session_id === undefined && before_version === undefined;
      if (isOfAll) void presence.cancelGrace(address.scope.userId);
    } catch (err) {
      logger.error({ err }, "the end of sessions cannot be read");
    }
  });
  return () => subscription.unsubscribe();
}
