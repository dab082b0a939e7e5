import { createEvent, errorTexts, notFound } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import { limitPurge, notePurge } from "./ban-purges.js";
import { isMember, lockServer, type Membership, removeMember } from "./membership.js";

/** A membership to be removed. */
export interface Removal extends Membership {
  reason: string | null;
}

/** A ban to be stored. */
export interface NewBan extends Removal {
  bannedBy: string;
  /** It ends by itself after as many minutes; null or absent: it does not, also if the ban before it did. */
  expiresInMinutes?: number | null;
  /** The user's messages of the last so many seconds are to be deleted; null or absent: none. */
  deleteMessageSeconds?: number | null;
}

const banStatement = defineStatement({
  name: "moderation_ban",
  text: `INSERT INTO bans (server_id, user_id, banned_by, reason, expires_at)
    VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5::integer))
    ON CONFLICT (server_id, user_id) DO UPDATE SET banned_by = excluded.banned_by, reason = excluded.reason,
      expires_at = excluded.expires_at
    RETURNING created_at, expires_at`,
  row: z.object({ created_at: z.date(), expires_at: z.date().nullable() }),
});

const unbanStatement = defineStatement({
  name: "moderation_unban",
  text: "DELETE FROM bans WHERE server_id = $1 AND user_id = $2",
});

const endStatement = defineStatement({
  name: "moderation_ban_end",
  text: "DELETE FROM bans WHERE server_id = $1 AND user_id = $2 AND expires_at <= now()",
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
export async function banUser(transaction: Transaction, emit: Emit, ban: NewBan): Promise<void> {
  const { serverId, userId, bannedBy, reason, expiresInMinutes = null, deleteMessageSeconds } = ban;
  await lockServer(transaction, serverId);
  const values = [serverId, userId, bannedBy, reason, expiresInMinutes];
  const [row] = await transaction.query(banStatement, values).catch((error: unknown) => {
    throw isForeignKeyViolation(error, "bans_user_id_fkey") ? notFound(errorTexts.user_not_found) : error;
  });
  if (row === undefined) throw new Error("A ban was not stored");
  if (deleteMessageSeconds) await notePurge(transaction, { serverId, userId, seconds: deleteMessageSeconds });
  const banned = { server_id: serverId, user_id: userId, reason };
  const { created_at, expires_at } = row;
  const stored = {
    banned_by: bannedBy,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  };
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
  await announceEnd(transaction, emit, ban);
}

/**
 * Ends an expired ban, in the caller's transaction.
 *
 * @returns false when it has ended already or was prolonged, and then nothing happens
 * @throws ServiceError 404 when the server is gone
 */
export async function endExpiredBan(transaction: Transaction, emit: Emit, ban: Membership): Promise<boolean> {
  const { serverId, userId } = ban;
  await lockServer(transaction, serverId);
  if ((await transaction.execute(endStatement, [serverId, userId])) === 0) return false;
  await announceEnd(transaction, emit, ban);
  return true;
}

async function announceEnd(transaction: Transaction, emit: Emit, ban: Membership): Promise<void> {
  const { serverId, userId } = ban;
  await limitPurge(transaction, ban);
  emit(createEvent("MEMBER_UNBAN", { server_id: serverId }, { server_id: serverId, user_id: userId }));
}
