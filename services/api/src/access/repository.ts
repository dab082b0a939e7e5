import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import {
  accessColumns,
  accessRole,
  accessRow,
  everyoneColumn,
  hasPermission,
  resolveAccess,
  resolveAccessRights,
  resolveRights,
  resolveServerPermissions,
} from "@parley/permissions";
import { z } from "zod";
import { safetyColumn, type WriterSafety, writerSafety } from "./safety-repository.js";

const id = (row: RawRow) => String(row.id);

/** A row of the table `channels`. */
export const channelRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  type: z.string(),
  position: z.int(),
  category: z.string().nullable(),
  topic: z.string().nullable(),
  slow_mode_seconds: z.int(),
  user_limit: z.int(),
  created_at: z.date(),
});
export type ChannelRow = z.infer<typeof channelRow>;

/** The columns of {@link channelRow}, in a statement where the table has the alias `c`. */
export const channelColumns = Object.keys(channelRow.shape)
  .map((column) => `c.${column}`)
  .join(", ");

const heldRole = accessRole.extend({ position: z.int() });

/** A member's access to a server, read in one statement. */
export interface ServerAccess {
  serverId: string;
  ownerId: string;
  isOwner: boolean;
  /** Whether role positions limit kicks, bans and timeouts. */
  hierarchy: boolean;
  /** Resolved bits of docs/protocol/permissions.md#3.2, `server(u)`. */
  permissions: number;
  /** The caller's rights of docs/protocol/permissions.md#24.2, as a sum of `rightBits`. */
  rights: number;
  everyone: z.infer<typeof accessRole>;
  /** The caller's roles. */
  roles: readonly z.infer<typeof heldRole>[];
}

const accessStatement = defineStatement({
  name: "server_access",
  text: `SELECT s.id, s.owner_id, s.hierarchy, ${everyoneColumn}, m.user_id IS NOT NULL AS is_member,
      coalesce((
        SELECT json_agg(json_build_object(
          'id', r.id, 'permissions', r.permissions, 'rights', r.rights, 'position', r.position))
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id
        WHERE mr.server_id = s.id AND mr.user_id = $2), '[]') AS roles
    FROM servers s LEFT JOIN members m ON m.server_id = s.id AND m.user_id = $2
    WHERE s.id = $1`,
  row: z.object({
    id: z.string(),
    owner_id: z.string(),
    hierarchy: z.boolean(),
    everyone: accessRole,
    is_member: z.boolean(),
    roles: z.array(heldRole),
  }),
});

/**
 * Reads a server's access for a user, member or not.
 *
 * @returns null when the server does not exist
 */
export async function findServerAccess(
  connection: Queryable,
  serverId: string,
  userId: string,
): Promise<(ServerAccess & { isMember: boolean }) | null> {
  const [row] = await connection.query(accessStatement, [serverId, userId]);
  if (row === undefined) return null;
  const { owner_id: ownerId, is_member: isMember, hierarchy, everyone, roles } = row;
  const isOwner = ownerId === userId;
  const permissions = isMember ? resolveServerPermissions({ isOwner, everyone, roles }) : 0;
  const rights = isMember ? resolveRights({ isOwner, permissions, everyone, roles }) : 0;
  return { serverId: row.id, ownerId, isOwner, isMember, hierarchy, permissions, rights, everyone, roles };
}

/** A member's access to a channel, read in one statement with the channel itself. */
export interface ChannelAccess {
  channel: ChannelRow;
  serverId: string;
  ownerId: string;
  isOwner: boolean;
  userId: string;
  /** Resolved bits of docs/protocol/permissions.md#3.2, `channel(u,c)`; 0 without VIEW_CHANNEL. */
  permissions: number;
  /** Rights of docs/protocol/permissions.md#24.2, as a sum of `rightBits`, with those that the bits imply. */
  rights: number;
  /** The server's conditions for writing that concern the caller; null for none. */
  safety: WriterSafety | null;
}

const channelStatement = defineStatement({
  name: "channel_access",
  text: `SELECT ${channelColumns}, ${accessColumns("$2")}, ${safetyColumn("m.user_id")}
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = $2
    WHERE c.id = $1`,
  row: accessRow.extend(channelRow.shape).extend({ safety: writerSafety.nullable() }),
});

/**
 * Reads a channel and the caller's access to it.
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
  const { owner_id, everyone, roles, overrides, safety, ...channel } = row;
  return {
    channel,
    serverId: channel.server_id,
    ownerId: owner_id,
    isOwner: owner_id === userId,
    userId,
    permissions: resolveAccess(row, userId),
    rights: resolveAccessRights(row, userId),
    safety,
  };
}

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

const viewableStatement = defineStatement({
  name: "channels_viewable",
  text: `SELECT c.id, ${accessColumns("$2")}
    FROM channels c JOIN servers s ON s.id = c.server_id JOIN members m ON m.server_id = s.id AND m.user_id = $2
    WHERE c.id = ANY ($1::uuid[])`,
  row: accessRow.extend({ id: z.string() }),
});

/** Those of the channels that a user may view, whatever their servers are. */
export async function whichAreViewable(
  connection: Queryable,
  channelIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  if (channelIds.length === 0) return new Set();
  const rows = await connection.query(viewableStatement, [[...channelIds], userId]);
  return new Set(rows.flatMap((row) => (hasPermission(resolveAccess(row, userId), "VIEW_CHANNEL") ? row.id : [])));
}

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

/** Locks the server of a member. @returns false for a missing server and for non-members */
export async function lockServerOf(transaction: Transaction, serverId: string, userId: string): Promise<boolean> {
  return (await transaction.query(memberLockStatement, [serverId, userId])).length > 0;
}

/** Locks the server of a channel. @returns false for a missing channel and for non-members */
export async function lockServerOfChannel(
  transaction: Transaction,
  channelId: string,
  userId: string,
): Promise<boolean> {
  return (await transaction.query(channelLockStatement, [channelId, userId])).length > 0;
}

const administrationLockStatement = defineStatement({
  name: "admin_lock",
  text: "SELECT id FROM instance_settings FOR UPDATE",
  row: (row: RawRow) => Number(row.id),
});

/** Administrators who can act: disabled accounts cannot, and bots are never administrators. */
const adminsStatement = defineStatement({
  name: "admin_remaining",
  text: `SELECT id FROM users u WHERE (is_admin OR admin_by_setting) AND disabled_at IS NULL
    AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)`,
  row: id,
});

/** Serializes changes of administrators, and changes of accounts by administrators; taken before any other lock. */
export async function lockAdministration(transaction: Transaction): Promise<void> {
  await transaction.query(administrationLockStatement, []);
}

/** Ids of the administrators who can act. */
export function findAdministrators(transaction: Transaction): Promise<string[]> {
  return transaction.query(adminsStatement, []);
}

// An advisory lock, not one of the account's row: presence writes the rows of many users in one statement, which must
// not wait for a single user's request.
const accountLockStatement = defineStatement({
  name: "account_lock",
  text: "SELECT FROM pg_advisory_xact_lock(hashtextextended('account ' || $1::text, 0))",
});

/** After the lock, so that a deletion that held it is seen. */
const accountExistsStatement = defineStatement({
  name: "account_exists",
  text: `SELECT u.id FROM users u
    WHERE u.id = $1 AND NOT EXISTS (SELECT FROM account_deletions d WHERE d.user_id = u.id)`,
  row: id,
});

/**
 * Locks an account's rows against additions until the transaction ends. @returns false when the account's deletion has
 * begun
 */
export async function lockExistingAccount(transaction: Transaction, accountId: string): Promise<boolean> {
  await transaction.execute(accountLockStatement, [accountId]);
  return (await transaction.query(accountExistsStatement, [accountId])).length > 0;
}
