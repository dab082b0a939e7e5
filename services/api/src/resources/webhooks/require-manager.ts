import { errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { findServerAccess } from "../../access/repository.js";
import { requirePermission } from "../../access/server-access.js";

/**
 * Unlike elsewhere, those who are no members get 403 as well (docs/interface.md#1.4).
 *
 * @throws ServiceError 404 for a missing server, 403 unless the caller is the owner or has ADMINISTRATOR
 */
export async function requireManager(connection: Queryable, serverId: string, userId: string): Promise<void> {
  const access = await findServerAccess(connection, serverId, userId);
  if (access === null) throw notFound(errorTexts.server_not_found);
  requirePermission(access, "ADMINISTRATOR", errorTexts.webhooks_need_administrator);
}
