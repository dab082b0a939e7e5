import { clientOps } from "@parley/contracts";
import type { Presence } from "@parley/presence";
import type { OpHandler } from "../session/client-messages.js";

/** PRESENCE_UPDATE: saved, and told to co-members (docs/interface.md#14.3). */
export function createPresenceUpdate({ presence }: { presence: Pick<Presence, "setStatus"> }): OpHandler {
  return async (connection, d) => {
    const change = clientOps.PRESENCE_UPDATE.safeParse(d);
    if (change.success) await presence.setStatus(connection.userId, change.data);
  };
}
