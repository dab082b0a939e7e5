import { errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { hasPermission } from "@parley/permissions";
import { type ChannelAccess, findChannelAccess } from "./repository.js";

/**
 * Reads a channel that the caller may view.
 *
 * @param missing text of the 404, for resources inside a channel
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL
 */
export async function requireChannel(
  connection: Queryable,
  channelId: string,
  userId: string,
  missing: string = errorTexts.channel_not_found,
): Promise<ChannelAccess> {
  const access = await findChannelAccess(connection, channelId, userId);
  if (access === null) throw notFound(missing);
  requireView(access);
  return access;
}

/** @throws ServiceError 403 without VIEW_CHANNEL */
export function requireView(access: { permissions: number }): void {
  if (!hasPermission(access.permissions, "VIEW_CHANNEL")) throw forbidden(errorTexts.view_channel_required);
}
