import { caps, conflict, errorTexts, forbidden, type JoinedServer } from "@parley/contracts";
import { defineStatement, isUniqueViolation, serverExists } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { lockServer, memberEvent } from "@parley/moderation";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import { capText, requireBelow } from "../../access/caps.js";

/** Two look-ups in indexes for each membership; a bot in very many servers is counted in some milliseconds. */
const countStatement = defineStatement({
  name: "membership_count",
  text: `SELECT EXISTS (SELECT FROM bots WHERE user_id = $1) AS is_bot,
    (SELECT count(*)::integer FROM (
      SELECT FROM members m WHERE m.user_id = $1 AND ${serverExists("m.server_id")} LIMIT $2) AS counted) AS memberships`,
  row: z.object({ is_bot: z.boolean(), memberships: z.int() }),
});

/**
 * For the transaction that has stored a membership: rolls it back when the user has too many now. The account is locked
 * since before.
 *
 * @throws ServiceError 400 over the cap of users or of bots
 */
export async function requireMembershipsWithinCap(transaction: Transaction, userId: string): Promise<void> {
  const [found] = await transaction.query(countStatement, [userId, caps.botMemberships.max + 1]);
  if (found === undefined) return;
  requireBelow(found.is_bot ? caps.botMemberships : caps.memberships, found.memberships - 1);
}

/**
 * Makes a user a member, in the caller's transaction, which has locked the account; the server's events reach their
 * open connections from then on.
 *
 * @throws ServiceError 403 when banned, 409 when already a member, 400 when a member of too many servers
 */
export async function addMember(
  transaction: Transaction,
  emit: Emit,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  // A join and a ban of the same user at once must not both succeed.
  await lockServer(transaction, serverId);
  const key = { server_id_user_id: { server_id: serverId, user_id: userId } };
  if ((await transaction.prisma.ban.findUnique({ where: key })) !== null) {
    throw forbidden(errorTexts.banned);
  }
  try {
    await transaction.prisma.member.create({ data: { server_id: serverId, user_id: userId } });
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(errorTexts.already_member);
    throw error;
  }
  await requireMembershipsWithinCap(transaction, userId);
  emit(memberEvent("SERVER_JOINED", { serverId, userId }));
}

/** Texts of the 400 for members of too many servers. */
export const membershipCaps = [capText(caps.memberships), capText(caps.botMemberships)];

/** Answer of every way to become a member (docs/interface.md#5.2, docs/interface.md#6.4). */
export function joined(serverId: string): JoinedServer {
  return { message: "Joined server", server_id: serverId };
}
