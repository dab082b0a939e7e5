import { errorTexts, forbidden } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { canModerateMember } from "@parley/permissions";
import type { ServerAccess } from "../../access/repository.js";
import { roleActor } from "./hierarchy.js";
import { findRolePositions } from "./rank-repository.js";

/** @throws ServiceError 403 for a member who is not below the caller in the hierarchy (docs/protocol/permissions.md#24.2) */
export async function requireLowerRank(
  connection: Queryable,
  access: ServerAccess,
  target: { server_id: string; user_id: string },
): Promise<void> {
  if (access.isOwner) return;
  const positions = await findRolePositions(connection, target);
  if (positions === null || canModerateMember(roleActor(access), positions)) return;
  throw forbidden(errorTexts.cannot_moderate_above);
}
