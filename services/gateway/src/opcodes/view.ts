import { clientOps } from "@parley/contracts";
import type { Presence } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import type { Hub } from "../hub/hub.js";
import type { LoadViewable } from "../hub/load-viewable.js";
import { viewsPerSecondMax } from "../limits.js";
import type { PassiveServers } from "../passive/passive-servers.js";
import type { OpHandler } from "../session/client-messages.js";
import { createLatestPace } from "./latest-pace.js";

/**
 * VIEW: the channels that a connection shows, and whether somebody looks at them (docs/protocol/passive-servers.md#27). The answer comes when every
 * process can know it, unless Redis is away. Of ops above the user's rate each connection's last waits, so the last one counts.
 */
export function createView(options: {
  hub: Pick<Hub, "user" | "server" | "show">;
  presence: Pick<Presence, "setView">;
  passiveServers: Pick<PassiveServers, "acknowledge">;
  loadViewable: LoadViewable;
  logger: Logger;
}): OpHandler {
  const { hub, presence, passiveServers, loadViewable, logger } = options;
  const pace = createLatestPace<Connection>({
    perSecondMax: viewsPerSecondMax,
    onError: (err, user_id) => logger.warn({ err, user_id }, "what a connection shows was not noted"),
  });

  /** @param d validated here, so that ops that are replaced while they wait cost nothing */
  async function show(connection: Connection, d: unknown): Promise<void> {
    const op = clientOps.VIEW.safeParse(d);
    if (!op.success) return;
    connection.hasNamedView = true;
    const named = [...new Set(op.data.channel_ids)];
    const channel_ids = named.length === 0 ? [] : await loadViewable({ userId: connection.userId, channelIds: named });
    await presence.setView(connection.id, op.data.active ? channel_ids : []);
    if (connection.shown !== null) await showOn(connection, new Set(channel_ids));
    passiveServers.acknowledge(connection, channel_ids);
  }

  /**
   * From now on the connection gets every event of the channels, behind the CHANNEL_ACTIVITY that sums up the omitted
   * ones.
   */
  async function showOn(connection: Connection, channelIds: ReadonlySet<string>): Promise<void> {
    const activities = () =>
      [...(hub.user(connection.userId)?.servers ?? [])].flatMap(({ id }) => hub.server(id)?.activity ?? []);
    const added = [...channelIds].filter((id) => !connection.shown?.has(id));
    await Promise.all(activities().map((activity) => activity.prepareOf(connection, added)));
    for (const activity of activities()) {
      activity.sendOf(connection, added);
      for (const id of connection.shown ?? []) if (!channelIds.has(id)) activity.hidden(connection, id);
    }
    hub.show(connection, channelIds);
  }

  return (connection, d) => {
    if (connection.query.version !== 2) return;
    return pace.add(connection.userId, connection, () => show(connection, d));
  };
}
