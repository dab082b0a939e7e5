import { createEvent, errorTexts } from "@parley/contracts";
import type { Emit } from "@parley/outbox";
import { permission } from "../../access/needs.js";

/** The right to the webhooks of a server, of either direction (docs/protocol/webhooks.md#13.1). */
export const manageWebhooks = permission("ADMINISTRATOR", errorTexts.webhooks_need_administrator);

/** Notifies the readers of a server's webhooks that these, of either direction, have changed. */
export function emitWebhookChange(emit: Emit, serverId: string): void {
  const changed = { server_id: serverId, part: "webhooks" } as const;
  emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers: "administrators" }));
}
