import { errorTexts, notFound } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import {
  type ChannelAccess,
  findChannelAccess,
  lockServerOf,
  lockServerOfChannel,
  type ServerAccess,
} from "./repository.js";
import { requireMember } from "./server-access.js";

// Changes of a server's permissions are serialized: each request locks the server's row before any other row and reads
// what it decides upon after that. So a decision still holds when it is committed, and the fixed order of locks excludes
// deadlocks.

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
  if (!(await lockServerOf(transaction, serverId, userId))) throw notFound(errorTexts.server_not_found);
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
  const isLocked = await lockServerOfChannel(transaction, channelId, userId);
  const access = isLocked ? await findChannelAccess(transaction, channelId, userId) : null;
  if (access === null) throw notFound(errorTexts.channel_not_found);
  return access;
}
