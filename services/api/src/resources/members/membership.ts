import { caps, conflict, errorTexts, type JoinedServer } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { emitJoin } from "@parley/moderation";
import type { Emit } from "@parley/outbox";
import { capText, requireBelow } from "../../access/caps.js";
import { countJoin } from "../raids/joins.js";
import { beginRaid } from "../raids/state.js";
import { countMemberships, insertMember } from "./repository.js";

/**
 * For the transaction that has stored a membership: rolls it back when the user has too many now. The account is locked
 * since before.
 *
 * @throws ServiceError 400 over the cap of users or of bots
 */
export async function requireMembershipsWithinCap(transaction: Transaction, userId: string): Promise<void> {
  const found = await countMemberships(transaction, userId);
  if (found === undefined) return;
  requireBelow(found.is_bot ? caps.botMemberships : caps.memberships, found.memberships - 1);
}

/**
 * Makes a user a member, in the caller's transaction, which has locked the account and then the server, so that a join
 * and a ban of the same user at once do not both succeed; the server's events reach their open connections from then on.
 *
 * @throws ServiceError 403 when banned and when a raid keeps the account out, 409 when already a member, 400 when a member of too many servers
 */
export async function addMember(
  transaction: Transaction,
  emit: Emit,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  const beginsRaid = await countJoin(transaction, { serverId, userId });
  if (!(await insertMember(transaction, serverId, userId))) throw conflict(errorTexts.already_member);
  await requireMembershipsWithinCap(transaction, userId);
  await emitJoin(transaction, emit, { serverId, userId });
  if (beginsRaid) await beginRaid(transaction, emit, serverId);
}

/** Texts of the 400 for members of too many servers. */
export const membershipCaps = [capText(caps.memberships), capText(caps.botMemberships)];

/** Answer of every way to become a member (docs/interface.md#5.2, docs/interface.md#6.4). */
export function joined(serverId: string): JoinedServer {
  return { message: "Joined server", server_id: serverId };
}
