import type { DmsFrom } from "@parley/contracts";
import { defineStatement, isUniqueViolation, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { AccountRow, OthersAccountRow } from "./resource.js";

/** Columns of an account that may leave the service; the password hash is not among them. */
export const accountColumns = {
  id: true,
  username: true,
  display_name: true,
  email: true,
  avatar_url: true,
  bio: true,
  pronouns: true,
  status: true,
  custom_status: true,
  status_expires_at: true,
  activity: true,
  created_at: true,
  is_admin: true,
  admin_by_setting: true,
  dms_from: true,
} as const;

/** The same of an account that somebody else sees, with whether it is a bot's. */
const othersAccountColumns = {
  ...accountColumns,
  is_webhook: true,
  imported: true,
  bot: { select: { id: true } },
  import_person: { select: { is_bot: true } },
} as const;

/** How an account is found. */
type AccountKey = { id: string } | { username: string };

/** The exact spelling first: accounts of before may share a mailbox (docs/protocol/objects.md#4.1). */
const addressStatement = defineStatement({
  name: "user_by_address",
  text: `SELECT id FROM users
    WHERE email = $1 OR (mailbox_of(email) = mailbox_of($1) AND NOT shares_mailbox)
    ORDER BY (email = $1) DESC LIMIT 1`,
  row: (row: RawRow) => String(row.id),
});

const sharedMailboxesStatement = defineStatement({
  name: "user_shared_mailboxes",
  text: "SELECT username FROM users WHERE shares_mailbox ORDER BY username LIMIT $1",
  row: (row: RawRow) => String(row.username),
});

/** An account, also one whose deletion has begun; null when there is none. */
export function findAccount({ prisma }: Queryable, where: AccountKey): Promise<AccountRow | null> {
  return prisma.user.findUnique({ where, select: accountColumns });
}

/** The account that gets the mails to an address, however it is spelled; null when there is none. */
export async function findAccountByAddress(connection: Queryable, address: string): Promise<AccountRow | null> {
  const [id] = await connection.query(addressStatement, [address]);
  return id === undefined ? null : findAccount(connection, { id });
}

/** Usernames of accounts that have the mailbox of an older account, spelled otherwise. */
export function findSharedMailboxes(connection: Queryable, limit: number): Promise<string[]> {
  return connection.query(sharedMailboxesStatement, [limit]);
}

/** Whether an account was refused because another one has its mailbox, in any spelling. */
export const isAddressTaken = (error: unknown): boolean =>
  isUniqueViolation(error, "users_email_key") || isUniqueViolation(error, "users_mailbox_key");

/** The caller's account, which exists. */
export function getAccount({ prisma }: Queryable, userId: string): Promise<AccountRow> {
  return prisma.user.findUniqueOrThrow({ where: { id: userId }, select: accountColumns });
}

/** Accounts by their ids, also those whose deletion has begun, in no order. */
export function findAccounts({ prisma }: Queryable, ids: string[]): Promise<OthersAccountRow[]> {
  return prisma.user.findMany({ where: { id: { in: ids } }, select: othersAccountColumns });
}

/** The same without accounts whose deletion has begun, and without those of incoming webhooks and of archives, which are nobody. */
export function findLivingAccounts({ prisma }: Queryable, ids: string[]): Promise<OthersAccountRow[]> {
  const where = { id: { in: ids }, deletion: null, is_webhook: false, imported: false };
  return prisma.user.findMany({ where, select: othersAccountColumns });
}

/** An account whose profile may be read: the author of a message may be an incoming webhook. */
export function findProfile({ prisma }: Queryable, id: string): Promise<OthersAccountRow | null> {
  return prisma.user.findUnique({ where: { id, deletion: null }, select: othersAccountColumns });
}

/** @throws isUniqueViolation of "users_username_key" for a name that is taken, {@link isAddressTaken} for an address */
export async function createAccount(
  { prisma }: Transaction,
  data: {
    username: string;
    email: string | null;
    email_verified_at?: Date;
    password_hash: string | null;
    registered_with: string | null;
    terms_version?: number;
  },
) {
  return prisma.user.create({ data, select: { ...accountColumns, session_version: true } });
}

/** The given fields of a profile. */
export interface ProfileChanges {
  display_name?: string | null | undefined;
  avatar_url?: string | null | undefined;
  bio?: string | null | undefined;
  pronouns?: string | null | undefined;
  dms_from?: DmsFrom | undefined;
}

/** Sets the given fields of a profile. */
export function updateProfile({ prisma }: Queryable, userId: string, data: ProfileChanges): Promise<AccountRow> {
  return prisma.user.update({ where: { id: userId }, data, select: accountColumns });
}

/** The account with the columns that a login checks. */
export async function findCredentials({ prisma }: Queryable, where: { id: string } | { username: string }) {
  return prisma.user.findUnique({
    where,
    select: { ...accountColumns, password_hash: true, session_version: true, disabled_at: true },
  });
}

/** The caller's address for mails, and when it was verified. */
export async function getEmail({ prisma }: Queryable, userId: string) {
  return prisma.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true, email_verified_at: true } });
}

export async function setPassword({ prisma }: Transaction, userId: string, password_hash: string): Promise<void> {
  await prisma.user.update({ where: { id: userId }, data: { password_hash }, select: { id: true } });
}

/**
 * The creator of the bot with this account; undefined for an account that is no bot's, null when the creator was
 * deleted.
 */
export async function findBotOwner({ prisma }: Queryable, userId: string): Promise<string | null | undefined> {
  return (await prisma.bot.findUnique({ where: { user_id: userId }, select: { created_by: true } }))?.created_by;
}
