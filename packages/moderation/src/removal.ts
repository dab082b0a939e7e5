import { createEvent, errorTexts, notFound } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import { isMember, lockServer, type Membership, removeMember } from "./membership.js";

/** A membership to be removed. */
export interface Removal extends Membership {
  reason: string | null;
}

const banStatement = defineStatement({
  name: "moderation_ban",
  text: `INSERT INTO bans (server_id, user_id, banned_by, reason) VALUES ($1, $2, $3, $4)
    ON CONFLICT (server_id, user_id) DO UPDATE SET banned_by = excluded.banned_by, reason = excluded.reason
    RETURNING created_at`,
  row: z.object({ created_at: z.date() }),
});

const unbanStatement = defineStatement({
  name: "moderation_unban",
  text: "DELETE FROM bans WHERE server_id = $1 AND user_id = $2",
});

/**
 * Kicks, in the caller's transaction: MEMBER_KICK, which the target still receives, then the removal.
 *
 * @returns false when the user is no member, and then nothing happens
 * @throws ServiceError 404 when the server is gone
 */
export async function kickMember(transaction: Transaction, emit: Emit, removal: Removal): Promise<boolean> {
  const { serverId, userId, reason } = removal;
  await lockServer(transaction, serverId);
  if (!(await isMember(transaction, removal))) return false;
  emit(createEvent("MEMBER_KICK", { server_id: serverId }, { server_id: serverId, user_id: userId, reason }));
  await removeMember(transaction, emit, { serverId, userId, reason: "kicked" });
  return true;
}

/**
 * Bans, member or not, in the caller's transaction: the ban, MEMBER_BAN for connections of either version, the removal. An
 * existing ban keeps its created_at.
 *
 * @throws ServiceError 404 when the account or the server does not exist
 */
export async function banUser(
  transaction: Transaction,
  emit: Emit,
  ban: Removal & { bannedBy: string },
): Promise<void> {
  const { serverId, userId, bannedBy, reason } = ban;
  await lockServer(transaction, serverId);
  const [row] = await transaction.query(banStatement, [serverId, userId, bannedBy, reason]).catch((error: unknown) => {
    throw isForeignKeyViolation(error, "bans_user_id_fkey") ? notFound(errorTexts.user_not_found) : error;
  });
  if (row === undefined) throw new Error("A ban was not stored");
  const banned = { server_id: serverId, user_id: userId, reason };
  const stored = { banned_by: bannedBy, created_at: row.created_at.toISOString(), expires_at: null };
  emit(createEvent("MEMBER_BAN", { server_id: serverId }, banned, { version: 1 }));
  emit(createEvent("MEMBER_BAN", { server_id: serverId }, { ...banned, ...stored }, { version: 2 }));
  await removeMember(transaction, emit, { serverId, userId, reason: "banned" });
}

/**
 * Ends a ban, if there is one, in the caller's transaction.
 *
 * @throws ServiceError 404 when the server is gone
 */
export async function unbanUser(transaction: Transaction, emit: Emit, ban: Membership): Promise<void> {
  const { serverId, userId } = ban;
  await lockServer(transaction, serverId);
  await transaction.execute(unbanStatement, [serverId, userId]);
  emit(createEvent("MEMBER_UNBAN", { server_id: serverId }, { server_id: serverId, user_id: userId }));
}
