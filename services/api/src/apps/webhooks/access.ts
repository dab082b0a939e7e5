import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { findServerAccess } from "../../access/repository.js";
import { requirePermission } from "../../access/server-access.js";

/** Tells those who may read them that the webhooks of a server, of either direction, have changed. */
export function emitWebhookChange(emit: Emit, serverId: string): void {
  const changed = { server_id: serverId, part: "webhooks" } as const;
  emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers: "administrators" }));
}

/**
 * Unlike elsewhere, those who are no members get 403 as well (docs/interface.md#1.4).
 *
 * @throws ServiceError 404 for a missing server, 403 unless the caller is the owner or has ADMINISTRATOR
 */
export async function requireWebhookManager(connection: Queryable, serverId: string, userId: string): Promise<void> {
  const access = await findServerAccess(connection, serverId, userId);
  if (access === null) throw notFound(errorTexts.server_not_found);
  requirePermission(access, "ADMINISTRATOR", errorTexts.webhooks_need_administrator);
}
