import { events, subjects } from "@parley/contracts";
import { type Messaging, subscribeLive } from "@parley/messaging";
import type { Presence } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";

/**
 * Ends what lost connections keep of a user's presence when all sessions of the user end (docs/interface.md#19.4). The gateway
 * that had the connection no longer follows the user, and may be dead, so every gateway gets the notices of all users, and the
 * first one to tell Redis ends it. After a lost notice the presence ends with its grace.
 *
 * @returns stops it
 */
export function watchSessionEnds(options: {
  messaging: Messaging;
  presence: Pick<Presence, "endKept">;
  logger: Logger;
}): () => void {
  const { messaging, presence, logger } = options;
  const subscription = subscribeLive(messaging, subjects.liveSessionEnds, ({ address, body }) => {
    if (address.scope.kind !== "user" || address.event !== "SESSION_CLOSE") return;
    try {
      const payload: unknown = JSON.parse(Buffer.from(body).toString());
      const { connection_id, session_id } = events.SESSION_CLOSE.payload.parse(payload);
      if (connection_id === null && session_id === undefined) void presence.endKept(address.scope.userId);
    } catch (err) {
      logger.error({ err }, "the end of sessions cannot be read");
    }
  });
  return () => subscription.unsubscribe();
}
