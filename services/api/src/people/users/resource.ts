import type { OtherUser, PresenceStatus, PublicProfile, User } from "@parley/contracts";
import { DmsFrom, PresenceStatus as PresenceStatusSchema } from "@parley/contracts";

/** An account without the columns that never leave the service, such as the password hash. */
export interface AccountRow {
  id: string;
  username: string;
  display_name: string | null;
  email: string | null;
  avatar_url: string | null;
  bio: string | null;
  pronouns: string | null;
  status: string;
  custom_status: string | null;
  /** Of the custom status. */
  status_expires_at: Date | null;
  activity: string | null;
  created_at: Date;
  is_admin: boolean;
  admin_by_setting: boolean;
  /** Null until it is set. */
  dms_from: string | null;
}

/** An account that somebody else sees. */
export interface OthersAccountRow extends AccountRow {
  /** Null for a person. */
  bot: { id: string } | null;
  is_webhook: boolean;
  /** Whether an archive named it, and as a bot. */
  imported: boolean;
  import_person: { is_bot: boolean } | null;
}

const botMarkOf = ({ bot, import_person }: OthersAccountRow) =>
  bot === null && import_person?.is_bot !== true ? {} : { is_bot: true as const };

/** The stored status as the type of the wire; the table's check constraint allows nothing else. */
export function toStatus(status: string): PresenceStatus {
  return PresenceStatusSchema.parse(status);
}

const displayNameOf = ({ display_name }: AccountRow) => (display_name === null ? {} : { display_name });

const fieldsOf = (row: AccountRow) => ({
  id: row.id,
  username: row.username,
  ...displayNameOf(row),
  email: row.email,
  avatar_url: row.avatar_url,
  bio: row.bio,
  pronouns: row.pronouns,
  status: toStatus(row.status),
  custom_status: row.custom_status,
  activity: row.activity,
  created_at: row.created_at.toISOString(),
  is_admin: row.is_admin || row.admin_by_setting,
});

/** The caller's own account (docs/protocol/objects.md#4.1). */
export function toUser(row: AccountRow): User {
  const { dms_from, status_expires_at } = row;
  return {
    ...fieldsOf(row),
    ...(status_expires_at !== null && { status_expires_at: status_expires_at.toISOString() }),
    ...(dms_from !== null && { dms_from: DmsFrom.parse(dms_from) }),
  };
}

/** Another user's account: the same fields, the private ones masked (docs/protocol/objects.md#4.2). */
export function toOtherUser(row: OthersAccountRow): OtherUser {
  return { ...fieldsOf(row), email: null, is_admin: false, ...botMarkOf(row) };
}

/** The order of lists of accounts. */
export const byName = (one: AccountRow, other: AccountRow) => (one.username < other.username ? -1 : 1);

/** The public fields of an account (docs/protocol/objects.md#4.3). */
export function toPublicProfile(row: OthersAccountRow): PublicProfile {
  return {
    id: row.id,
    username: row.username,
    ...displayNameOf(row),
    avatar_url: row.avatar_url,
    status: toStatus(row.status),
    custom_status: row.custom_status,
    activity: row.activity,
    bio: row.bio,
    pronouns: row.pronouns,
    created_at: row.created_at.toISOString(),
    ...botMarkOf(row),
    ...(row.is_webhook ? { is_webhook: true as const } : {}),
    ...(row.imported ? { imported: true as const } : {}),
  };
}
