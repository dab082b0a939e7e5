import { setTimeout as pause } from "node:timers/promises";
import { clientOps, dispatchFrame } from "@parley/contracts";
import { KeyedMutex, type Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import { getsPartners, isComember, serversOf } from "../fan-out/comember-events.js";
import type { Hub } from "../hub/hub.js";
import type { LoadPresences } from "../hub/load-presences.js";
import { joinPollMs, joinWaitMaxMs, subscribesPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";
import { createLatestPace } from "./latest-pace.js";

/**
 * PRESENCE_SUBSCRIBE: the users whose presence a connection gets from now on (docs/protocol/connecting.md#20.1).
 *
 * No change after the answer is missed: the connection watches the users before the statement runs, and changes that
 * arrive during the statement are sent after the answer. Which changes concern the connection is decided by the
 * memberships on this node, so the answer waits until these include the memberships that the statement read. The ops of
 * one user are answered one at a time, over all their connections. Of ops above the user's rate each connection's last
 * waits, and replaces the set when its turn comes.
 */
export function createPresenceSubscribe(options: {
  hub: Hub;
  loadPresences: LoadPresences;
  logger: Logger;
}): OpHandler {
  const { hub, loadPresences, logger } = options;
  const { watches } = hub;
  const pace = createLatestPace<Connection>({
    perSecondMax: subscribesPerSecondMax,
    onError: (err, user_id) => logger.warn({ err, user_id }, "presences were not sent"),
  });
  const askers = new KeyedMutex();

  async function answer(connection: Connection, userIds: readonly string[]): Promise<void> {
    const { userId: askerId, query } = connection;
    const { presences, serverIds } = await askers.run(askerId, () =>
      loadPresences({ askerId, shard: query.shard, userIds }),
    );
    await untilMember(connection, serverIds);
    const now = performance.now();
    for (const presence of presences) {
      const frame = encodeTextFrame(Buffer.from(dispatchFrame("PRESENCE_UPDATE", JSON.stringify(presence))));
      connection.sendPresence(frame, now, presence.user_id);
    }
  }

  /** Ends early with the connection. */
  async function untilMember(connection: Connection, serverIds: readonly string[]): Promise<void> {
    const deadline = performance.now() + joinWaitMaxMs;
    const isMember = () => {
      const user = hub.user(connection.userId);
      return user !== undefined && serverIds.every((serverId) => hub.server(serverId)?.isMember(user));
    };
    while (connection.state !== "closed" && !isMember() && performance.now() < deadline) await pause(joinPollMs);
  }

  function sendDeferred(connection: Connection): void {
    const user = hub.user(connection.userId);
    for (const [userId, event] of watches.release(connection)) {
      const isPartner = user !== undefined && getsPartners(connection) && watches.partners.isWatching(user, userId);
      if (isPartner || isComember(hub, connection, serversOf(hub, event))) {
        connection.sendPresence(encodeTextFrame(event.body), event.receivedAt, userId);
      }
    }
  }

  /** @param d validated here, so that ops that are replaced while they wait cost nothing */
  async function subscribe(connection: Connection, d: unknown): Promise<void> {
    const op = clientOps.PRESENCE_SUBSCRIBE.safeParse(d);
    // The op may have waited. The users whom a closed connection named would stay watched.
    if (!op.success || connection.state === "closed") return;
    const userIds = new Set(op.data.user_ids);
    // One's own presence is not among those that one gets.
    userIds.delete(connection.userId);
    watches.name(connection, userIds);
    try {
      if (userIds.size > 0) await answer(connection, [...userIds]);
    } finally {
      sendDeferred(connection);
    }
  }

  return (connection, d) => {
    if (connection.query.presence !== "subscribed") return;
    return pace.add(connection.userId, connection, () => subscribe(connection, d));
  };
}
