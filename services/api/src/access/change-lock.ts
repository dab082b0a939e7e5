import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { type ChannelAccess, findChannelAccess } from "./channel-access.js";
import { requireMember, type ServerAccess } from "./server-access.js";

// Changes of a server's permissions are serialized: each request locks the server's row before any other row and reads
// what it decides upon after that. So a decision still holds when it is committed, and the fixed order of locks excludes
// deadlocks.

const id = (row: RawRow) => String(row.id);

/** For non-members no row is found, so only members can make other requests wait for the lock. */
const memberLockStatement = defineStatement({
  name: "change_lock_member",
  text: `SELECT s.id FROM servers s JOIN members m ON m.server_id = s.id
    WHERE s.id = $1 AND m.user_id = $2
    FOR NO KEY UPDATE OF s`,
  row: id,
});

/** The channel is kept from being deleted, too. */
const channelLockStatement = defineStatement({
  name: "change_lock_channel",
  text: `SELECT s.id FROM servers s
    JOIN channels c ON c.server_id = s.id
    JOIN members m ON m.server_id = s.id
    WHERE c.id = $1 AND m.user_id = $2
    FOR NO KEY UPDATE OF s FOR KEY SHARE OF c`,
  row: id,
});

/**
 * `requireMember` for a transaction that changes rights or data that depends on them.
 *
 * @throws ServiceError 404 for a missing server and for non-members
 */
export async function requireMemberForChange(
  transaction: Transaction,
  serverId: string,
  userId: string,
): Promise<ServerAccess> {
  const locked = await transaction.query(memberLockStatement, [serverId, userId]);
  if (locked.length === 0) throw notFound(errorTexts.server_not_found);
  return requireMember(transaction, serverId, userId);
}

/**
 * Reads a channel's access for a transaction that changes rights in it.
 *
 * @throws ServiceError 404 for a missing channel and for non-members
 */
export async function requireChannelForChange(
  transaction: Transaction,
  channelId: string,
  userId: string,
): Promise<ChannelAccess> {
  const locked = await transaction.query(channelLockStatement, [channelId, userId]);
  const access = locked.length === 0 ? null : await findChannelAccess(transaction, channelId, userId);
  if (access === null) throw notFound(errorTexts.channel_not_found);
  return access;
}
