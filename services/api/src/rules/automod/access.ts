import { createEvent, errorTexts } from "@parley/contracts";
import type { Emit } from "@parley/outbox";
import { right } from "../../access/needs.js";

/** The right to a server's auto-moderation (docs/protocol/automod.md#11.1). */
export const manageAutomod = right("manage_automod", errorTexts.automod_owner_only);

/** Notifies the readers of auto-moderation's settings that these have changed. */
export function emitAutomodChange(emit: Emit, serverId: string): void {
  const changed = { server_id: serverId, part: "automod" } as const;
  emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers: "manage_automod" }));
}
