import { randomInt } from "node:crypto";
import { caps, type InvitePreview, inviteCodePattern } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { type InviteRow, inviteRow } from "./resource.js";
import type { CreateInvite } from "./schema.js";

/** Expired and used up invites that a server keeps; the next new invite removes older ones. */
const spentInvitesMax = 1_000;

/** Characters of an invite's code (docs/protocol/objects.md#4.16). */
const inviteCodeLength = 8;

const columns = "id, server_id, code, created_by, max_uses, uses, expires_at, created_at, role_ids, vanity";

/** Creation and expiry both use the database's clock. */
const createStatement = defineStatement({
  name: "invite_create",
  text: `INSERT INTO invites (server_id, code, created_by, max_uses, expires_at, role_ids, vanity)
    VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5::int), $6::uuid[], $7)
    ON CONFLICT (code) DO NOTHING
    RETURNING ${columns}`,
  row: inviteRow,
});

const keepStatement = defineStatement({
  name: "invite_keep",
  text: `INSERT INTO invites (server_id, code, created_by, max_uses, uses, expires_at, created_at, role_ids, vanity)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id`,
  row: (row: RawRow) => String(row.id),
});

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const inForce = "(expires_at IS NULL OR expires_at > now()) AND (max_uses IS NULL OR uses < max_uses)";

const countInForceStatement = defineStatement({
  name: "invite_count_in_force",
  text: `SELECT count(*)::integer AS count
    FROM (SELECT FROM invites WHERE server_id = $1 AND ${inForce} LIMIT $2) AS counted`,
  row: z.object({ count: z.int() }),
});

const inForceStatement = defineStatement({
  name: "invite_in_force",
  text: `SELECT ${columns} FROM invites
    WHERE server_id = $1 AND ${inForce} ORDER BY created_at, id`,
  row: inviteRow,
});

const trimSpentStatement = defineStatement({
  name: "invite_trim_spent",
  text: `DELETE FROM invites WHERE id IN (
    SELECT id FROM invites WHERE server_id = $1 AND NOT (${inForce}) ORDER BY created_at DESC, id DESC OFFSET $2)
    RETURNING id`,
  row: (row: RawRow) => String(row.id),
});

/** Whether the account `$2` was registered with the invite `i`, whose use is counted since then. */
const registeredWith = "EXISTS (SELECT FROM users u WHERE u.id = $2::uuid AND u.registered_with = i.id)";

const previewStatement = defineStatement({
  name: "invite_preview",
  text: `SELECT i.server_id, i.code, s.name AS server_name, s.icon_url AS server_icon_url, s.member_count, i.expires_at
    FROM invites i JOIN servers s ON s.id = i.server_id
    WHERE i.code = $1 AND (i.expires_at IS NULL OR i.expires_at > now())
      AND (i.max_uses IS NULL OR i.uses < i.max_uses OR ${registeredWith})`,
  row: z.object({
    server_id: z.string(),
    code: z.string(),
    server_name: z.string(),
    server_icon_url: z.string().nullable(),
    member_count: z.int(),
    expires_at: z
      .date()
      .nullable()
      .transform((date) => date?.toISOString() ?? null),
  }),
});

/**
 * Locks the server before the invite, in the order of all changes of a server. Expiry is compared with
 * `clock_timestamp()`, because the wait for the lock may outlast the transaction's `now()`.
 */
const lockStatement = defineStatement({
  name: "invite_lock",
  text: `SELECT i.id, i.server_id,
      coalesce(i.expires_at <= clock_timestamp(), false) AS expired,
      coalesce(i.uses >= i.max_uses, false) AS used_up,
      ${registeredWith} AS is_counted, i.role_ids
    FROM invites i JOIN servers s ON s.id = i.server_id
    WHERE i.code = $1
    FOR NO KEY UPDATE OF s FOR NO KEY UPDATE OF i`,
  row: z.object({
    id: z.string(),
    server_id: z.string(),
    expired: z.boolean(),
    used_up: z.boolean(),
    is_counted: z.boolean(),
    role_ids: z.array(z.string()),
  }),
});

const countUseStatement = defineStatement({
  name: "invite_count_use",
  text: "UPDATE invites SET uses = uses + 1 WHERE id = $1",
});

/** How many invites of a server can still be used, counted up to the cap. */
export async function countInForce(transaction: Transaction, serverId: string): Promise<number> {
  const [row] = await transaction.query(countInForceStatement, [serverId, caps.invites.max]);
  return row?.count ?? 0;
}

/** The invites of a server that can still be used, oldest first. */
export function findInForce(connection: Queryable, serverId: string): Promise<InviteRow[]> {
  return connection.query(inForceStatement, [serverId]);
}

/** Trims the oldest of a server's expired and used up invites, so that its list stays bounded. @returns their ids */
export function trimSpent(transaction: Transaction, serverId: string): Promise<string[]> {
  return transaction.query(trimSpentStatement, [serverId, spentInvitesMax]);
}

/** Stores an invite under a code of its own. */
export async function insertInvite(
  transaction: Transaction,
  { serverId, createdBy, max_uses, expires_in_hours, role_ids }: { serverId: string; createdBy: string } & CreateInvite,
): Promise<InviteRow> {
  for (;;) {
    const limits = [max_uses ?? null, expires_in_hours ?? null];
    const values = [serverId, createInviteCode(), createdBy, ...limits, role_ids ?? [], false];
    const [row] = await transaction.query(createStatement, values);
    // No row: one of 62^8 codes came up twice.
    if (row !== undefined) return row;
  }
}

/** Stores the address that an owner chose; undefined when another invite has the code. */
export async function insertVanity(
  transaction: Transaction,
  { serverId, code, createdBy }: { serverId: string; code: string; createdBy: string },
): Promise<InviteRow | undefined> {
  const [row] = await transaction.query(createStatement, [serverId, code, createdBy, null, null, [], true]);
  return row;
}

/** The address that the owner of a server chose. */
export function findVanity({ prisma }: Queryable, serverId: string): Promise<InviteRow | null> {
  return prisma.invite.findFirst({ where: { server_id: serverId, vanity: true } });
}

/** An invite of another installation. */
export interface KeptInvite {
  code: string;
  createdBy: string | null;
  maxUses: number | null;
  uses: number;
  expiresAt: Date | null;
  createdAt: Date;
  roleIds: string[];
  vanity: boolean;
}

/**
 * Stores an invite of another installation, under another code where its own is none, or taken; an address that the
 * owner chose is then an ordinary invite, as where the server has one already.
 *
 * @returns its id
 */
export async function keepInvite(transaction: Transaction, serverId: string, invite: KeptInvite): Promise<string> {
  const { createdBy, maxUses, uses, expiresAt, createdAt, roleIds } = invite;
  const rest = [createdBy, maxUses, uses, expiresAt?.toISOString() ?? null, createdAt.toISOString(), roleIds];
  for (let code = invite.code; ; code = createInviteCode()) {
    const [id] = isInviteCode(code)
      ? await transaction.query(keepStatement, [serverId, code, ...rest, invite.vanity && code === invite.code])
      : [];
    if (id !== undefined) return id;
  }
}

/** The preview of an invite and the id of its server; null when the account, or a stranger, cannot use it any more. */
export async function findPreview(
  connection: Queryable,
  code: string,
  userId: string | null,
): Promise<{ serverId: string; preview: InvitePreview } | null> {
  if (!isInviteCode(code)) return null;
  const [row] = await connection.query(previewStatement, [code, userId]);
  if (row === undefined) return null;
  const { server_id: serverId, ...preview } = row;
  return { serverId, preview };
}

/** The server that an invite is for, usable or not. */
export async function findInvitedServer(connection: Queryable, code: string): Promise<{ server_id: string } | null> {
  if (!isInviteCode(code)) return null;
  return connection.prisma.invite.findUnique({ where: { code }, select: { server_id: true } });
}

/**
 * Locks an invite and its server until the transaction ends, and reads whether it can still be used.
 *
 * @param userId the account that was locked before; null for one that is still to be stored
 */
export async function lockInvite(transaction: Transaction, code: string, userId: string | null) {
  if (!isInviteCode(code)) return null;
  const [invite] = await transaction.query(lockStatement, [code, userId]);
  return invite ?? null;
}

/** Counts a use of an invite that {@link lockInvite} found usable. */
export async function countUse(transaction: Transaction, inviteId: string): Promise<void> {
  await transaction.execute(countUseStatement, [inviteId]);
}

/** The account's use of an invite counts no longer with its registration. */
export async function clearRegisteredWith({ prisma }: Transaction, userId: string): Promise<void> {
  await prisma.user.update({ where: { id: userId }, data: { registered_with: null }, select: { id: true } });
}

/** Invites of a server, newest first. */
export function findInvites({ prisma }: Queryable, serverId: string): Promise<InviteRow[]> {
  return prisma.invite.findMany({
    where: { server_id: serverId },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
  });
}

export async function hasInvite({ prisma }: Queryable, serverId: string, inviteId: string): Promise<boolean> {
  return (await prisma.invite.count({ where: { id: inviteId, server_id: serverId } })) > 0;
}

export async function deleteInvite({ prisma }: Transaction, inviteId: string): Promise<void> {
  await prisma.invite.delete({ where: { id: inviteId } });
}

/** An unguessable code (docs/protocol/objects.md#4.16). */
function createInviteCode(): string {
  return Array.from({ length: inviteCodeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Whether the text may be a code at all; the api looks up no other text. */
function isInviteCode(text: string): boolean {
  return inviteCodePattern.test(text);
}
