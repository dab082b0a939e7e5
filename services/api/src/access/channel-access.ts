import { errorTexts, forbidden, notFound } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { type ChannelRow, channelColumns, channelRow } from "./channel-row.js";

/** What a member may do in a channel, read in one statement with the channel itself. */
export interface ChannelAccess {
  channel: ChannelRow;
  serverId: string;
  ownerId: string;
  isOwner: boolean;
  userId: string;
  /** Resolved bits of docs/interface.md#3.2, `channel(u,c)`; 0 without VIEW_CHANNEL. */
  permissions: number;
}

const channelStatement = defineStatement({
  name: "channel_access",
  text: `SELECT ${channelColumns}, ${accessColumns("$2")}
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = $2
    WHERE c.id = $1`,
  row: accessRow.extend(channelRow.shape),
});

/**
 * Reads a channel and what the caller may do in it.
 *
 * @returns null when it does not exist or the caller is no member of its server
 */
export async function findChannelAccess(
  connection: Queryable,
  channelId: string,
  userId: string,
): Promise<ChannelAccess | null> {
  const [row] = await connection.query(channelStatement, [channelId, userId]);
  if (row === undefined) return null;
  const { owner_id, roles, overrides, ...channel } = row;
  return {
    channel,
    serverId: channel.server_id,
    ownerId: owner_id,
    isOwner: owner_id === userId,
    userId,
    permissions: resolveAccess({ owner_id, roles, overrides }, userId),
  };
}

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
