import { caps, conflict, errorTexts, forbidden, type JoinedServer } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { emitJoin } from "@parley/moderation";
import type { Emit } from "@parley/outbox";
import { capText, requireBelowCap } from "../../access/caps.js";
import { type Joining, storeJoin } from "../../rules/raids/join-repository.js";
import { beginRaid } from "../../rules/raids/state.js";

/**
 * Makes a user a member, in the caller's transaction, which has locked the account and then the server, so that a join
 * and a ban of the same user at once do not both succeed; the server's events reach their open connections from then on.
 *
 * @throws ServiceError 409 when already a member, 403 when banned and when a raid keeps the account out, 400 over the cap of
 * memberships of users or of bots
 */
export async function addMember(transaction: Transaction, emit: Emit, joining: Joining): Promise<void> {
  const { serverId } = joining;
  const join = await storeJoin(transaction, joining);
  if (join.is_member) throw conflict(errorTexts.already_member);
  if (join.is_banned) throw forbidden(errorTexts.banned);
  if (join.is_refused) throw forbidden(errorTexts.under_raid);
  requireBelowCap(join.is_bot ? caps.botMemberships : caps.memberships, join.memberships);
  if (join.member === null) throw new Error("A membership was not stored");
  await emitJoin(transaction, emit, serverId, join.member);
  if (join.begins_raid) await beginRaid(transaction, emit, serverId);
}

/** Texts of the 400 for members of too many servers. */
export const membershipCaps = [capText(caps.memberships), capText(caps.botMemberships)];

/** Answer of every way to become a member (docs/protocol/communities.md#5.2, docs/protocol/communities.md#6.4). */
export function joined(serverId: string): JoinedServer {
  return { message: "Joined server", server_id: serverId };
}
