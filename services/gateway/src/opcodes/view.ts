import { clientOps, dispatchFrame, type ViewAck } from "@parley/contracts";
import type { Presence } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { LoadViewable } from "../hub/load-viewable.js";
import { viewsPerSecondMax } from "../limits.js";
import type { OpHandler } from "../session/client-messages.js";
import { createLatestPace } from "./latest-pace.js";

/**
 * VIEW: the channels that a connection shows, and whether somebody looks at them (docs/interface.md#27). The answer comes when every
 * process can know it, unless Redis is away. Of ops above the user's rate each connection's last waits, so the last one counts.
 */
export function createView(options: {
  presence: Pick<Presence, "setView">;
  loadViewable: LoadViewable;
  logger: Logger;
}): OpHandler {
  const { presence, loadViewable, logger } = options;
  const pace = createLatestPace<Connection>({
    perSecondMax: viewsPerSecondMax,
    onError: (err, user_id) => logger.warn({ err, user_id }, "what a connection shows was not noted"),
  });

  /** @param d validated here, so that ops that are replaced while they wait cost nothing */
  async function show(connection: Connection, d: unknown): Promise<void> {
    const op = clientOps.VIEW.safeParse(d);
    if (!op.success) return;
    const named = [...new Set(op.data.channel_ids)];
    const channel_ids = named.length === 0 ? [] : await loadViewable({ userId: connection.userId, channelIds: named });
    await presence.setView(connection.id, op.data.active ? channel_ids : []);
    const ack: ViewAck = { channel_ids, passive: [] };
    connection.answer(encodeTextFrame(Buffer.from(dispatchFrame("VIEW_ACK", JSON.stringify(ack)))));
  }

  return (connection, d) => {
    if (connection.query.version !== 2) return;
    return pace.add(connection.userId, connection, () => show(connection, d));
  };
}
