import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { type ChannelRow, channelColumns, channelRow } from "./channel-row.js";

/** Exported for the test of its plan. */
export const listStatement = defineStatement({
  name: "channel_list",
  text: `SELECT ${channelColumns}, ${accessColumns("$2")}
    FROM channels c JOIN servers s ON s.id = c.server_id
    WHERE c.server_id = $1
    ORDER BY c.position, c.created_at, c.id`,
  row: accessRow.extend(channelRow.shape),
});

/**
 * Reads the channels of a server that a member may view, in display order.
 *
 * @param userId a member of the server: whether they are one is for the caller to check
 */
export async function findViewableChannels(
  connection: Queryable,
  serverId: string,
  userId: string,
): Promise<ChannelRow[]> {
  const rows = await connection.query(listStatement, [serverId, userId]);
  return rows.filter((row) => hasPermission(resolveAccess(row, userId), "VIEW_CHANNEL"));
}
