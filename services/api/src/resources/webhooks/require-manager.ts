import { notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database";
import { accessErrors } from "../../access/error-texts.js";
import { findServerAccess, requirePermission } from "../../access/server-access.js";

/** Text of the 403 for callers who may not manage webhooks (docs/interface.md#13.1). */
export const cannotManage = "You need the Administrator permission to manage webhooks";

/**
 * Unlike elsewhere, those who are no members get 403 as well (docs/interface.md#1.4).
 *
 * @throws ServiceError 404 for a missing server, 403 unless the caller is the owner or has ADMINISTRATOR
 */
export async function requireManager(connection: Queryable, serverId: string, userId: string): Promise<void> {
  const access = await findServerAccess(connection, serverId, userId);
  if (access === null) throw notFound(accessErrors.serverNotFound);
  requirePermission(access, "ADMINISTRATOR", cannotManage);
}
