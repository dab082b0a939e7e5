import type { ServerSettingsUpdateEvent } from "@parley/client";
import { useGatewayEvent } from "./use-gateway-event.js";

/** Reads a part of the settings again once it was changed. Fields without typed text show the new values. */
export function useSettingsUpdates(
  serverId: string,
  part: ServerSettingsUpdateEvent["part"],
  reload: () => Promise<void>,
): void {
  useGatewayEvent("SERVER_SETTINGS_UPDATE", (event) => {
    if (event.server_id === serverId && event.part === part) void reload();
  });
}
