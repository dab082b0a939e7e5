import { errorTexts, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { findServerAccess, type ServerAccess } from "../../access/repository.js";
import { requireRight } from "../../access/server-access.js";

/**
 * Reads what somebody who manages a server's auto-moderation may do in it: the owner, or a holder of `manage_automod`.
 *
 * @throws ServiceError 404 for a missing server, 403 for everybody else, non-members included (docs/interface.md#11.1)
 */
export async function requireAutomodAccess(
  connection: Queryable,
  serverId: string,
  userId: string,
): Promise<ServerAccess> {
  const access = await findServerAccess(connection, serverId, userId);
  if (access === null) throw notFound(errorTexts.server_not_found);
  requireRight(access, "manage_automod", errorTexts.automod_owner_only);
  return access;
}
