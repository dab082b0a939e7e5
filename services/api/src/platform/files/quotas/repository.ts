import { quotaDefaults } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../jobs/expiry-repository.js";
import {
  accountQuota,
  accountUse,
  installationQuota,
  type QuotaScope,
  serverQuota,
  serverUse,
} from "./use-repository.js";

/** The account and the server whose quotas an upload counts for; null where it counts for none. */
export interface Charged {
  accountId: string | null;
  serverId: string | null;
}

const bytes = z.coerce.number();
const scope = z.enum(Object.keys(quotaDefaults) as [QuotaScope, ...QuotaScope[]]);

/** Bots count for their creators; webhooks count for their servers alone. */
const chargedStatement = defineStatement({
  name: "storage_charged",
  text: `SELECT
      (SELECT coalesce(b.created_by, u.id) FROM users u LEFT JOIN bots b ON b.user_id = u.id
        WHERE u.id = $1 AND NOT u.is_webhook) AS account_id,
      (SELECT server_id FROM channels WHERE id = $2) AS server_id`,
  row: (row: RawRow): Charged => ({
    accountId: row.account_id === null ? null : String(row.account_id),
    serverId: row.server_id === null ? null : String(row.server_id),
  }),
});

/** In one order, so that no two uploads wait for each other. Without a quota of the installation nobody waits for all. */
const lockStatement = defineStatement({
  name: "storage_lock",
  text: `SELECT FROM (
      SELECT key FROM (VALUES ('storage of account ' || $1::text), ('storage of server ' || $2::text),
        ((SELECT 'storage of installation' FROM instance_settings WHERE ${installationQuota} IS NOT NULL))) AS k (key)
      WHERE key IS NOT NULL ORDER BY key) k, pg_advisory_xact_lock(hashtextextended(k.key, 0))`,
});

const reserved = (condition: string) =>
  `(SELECT coalesce(sum(r.bytes), 0) FROM storage_reservations r WHERE ${condition} AND r.expires_at > now() AND r.id <> $3)`;

/** Scopes without a quota are left out. `reserved` by other uploads. */
const usesStatement = defineStatement({
  name: "storage_uses",
  text: `SELECT * FROM (
      SELECT 'account' AS scope, ${accountQuota("$1")} AS quota, ${reserved("r.account_id = $1")} AS reserved, u.used
        FROM (SELECT $1::uuid AS id) of, LATERAL (${accountUse("$1")}) u WHERE of.id IS NOT NULL
      UNION ALL
      SELECT 'server', ${serverQuota("$2")}, ${reserved("r.server_id = $2")}, u.used
        FROM (SELECT $2::uuid AS id) of, LATERAL (${serverUse("$2")}) u WHERE of.id IS NOT NULL
      UNION ALL
      SELECT 'installation', ${installationQuota}, ${reserved("true")},
        t.bytes + (SELECT coalesce(sum(bytes), 0) FROM storage_changes) FROM storage_total t) scopes
    WHERE quota IS NOT NULL`,
  row: z.object({ scope, quota: bytes, reserved: bytes, used: bytes }),
});

/** Uploads do not wait for the disk: what PostgreSQL forgets when it crashes was reserved within its last second. */
const unsynced = "set_config('synchronous_commit', 'off', true)";

const reserveStatement = defineStatement({
  name: "storage_reserve",
  text: `INSERT INTO storage_reservations (id, account_id, server_id, bytes, expires_at)
    SELECT $3::uuid, $1::uuid, $2::uuid, $4::bigint, now() + make_interval(secs => $5::float8) FROM ${unsynced}
    ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, expires_at = excluded.expires_at`,
});
const endStatement = defineStatement({
  name: "storage_reservation_end",
  text: `DELETE FROM storage_reservations USING ${unsynced} WHERE id = $1`,
});

/** Reservations of processes that died. */
export const lapsedReservations = defineExpiry({
  name: "lapsed reservations",
  table: "storage_reservations",
  where: "t.expires_at < now()",
  order: "t.expires_at",
});

/** The account and the server that a file of an author in a channel counts for. */
export async function findCharged(
  connection: Queryable,
  { authorId, channelId }: { authorId: string; channelId: string },
): Promise<Charged> {
  const [charged] = await connection.query(chargedStatement, [authorId, channelId]);
  return charged ?? { accountId: null, serverId: null };
}

/** What the scopes with a quota have, under locks that end with the transaction. */
export async function lockUses(transaction: Transaction, { accountId, serverId }: Charged, reservationId: string) {
  await transaction.execute(lockStatement, [accountId, serverId]);
  return transaction.query(usesStatement, [accountId, serverId, reservationId]);
}

export async function reserve(
  transaction: Transaction,
  { accountId, serverId }: Charged,
  { id, bytes, seconds }: { id: string; bytes: number; seconds: number },
): Promise<void> {
  await transaction.execute(reserveStatement, [accountId, serverId, id, bytes, seconds]);
}

export async function endReservation(connection: Queryable, id: string): Promise<void> {
  await connection.execute(endStatement, [id]);
}

const shown = z.object({ used: bytes, quota: bytes.nullable(), files: bytes });
export type ShownUse = z.infer<typeof shown>;
const none = { used: 0, quota: null, files: 0 };

const accountStatement = defineStatement({
  name: "storage_of_account",
  text: `SELECT used, files, ${accountQuota("$1")} AS quota FROM (${accountUse("$1")}) u`,
  row: shown,
});
const serverStatement = defineStatement({
  name: "storage_of_server",
  text: `SELECT used, files, ${serverQuota("$1")} AS quota FROM (${serverUse("$1")}) u`,
  row: shown,
});

/** What an account has, with its bots. */
export async function findAccountUse(connection: Queryable, userId: string): Promise<ShownUse> {
  const [use] = await connection.query(accountStatement, [userId]);
  return use ?? none;
}

/** What a server has. */
export async function findServerUse(connection: Queryable, serverId: string): Promise<ShownUse> {
  const [use] = await connection.query(serverStatement, [serverId]);
  return use ?? none;
}

const setAccountStatement = defineStatement({
  name: "account_quota_set",
  text: `INSERT INTO account_quotas (user_id, quota) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET quota = excluded.quota`,
});
const clearAccountStatement = defineStatement({
  name: "account_quota_clear",
  text: "DELETE FROM account_quotas WHERE user_id = $1",
});
const setServerStatement = defineStatement({
  name: "server_quota_set",
  text: `INSERT INTO server_quotas (server_id, quota) VALUES ($1, $2) ON CONFLICT (server_id) DO UPDATE SET quota = excluded.quota`,
});
const clearServerStatement = defineStatement({
  name: "server_quota_clear",
  text: "DELETE FROM server_quotas WHERE server_id = $1",
});

/** Gives an account a quota of its own; null: that of the settings. */
export async function setAccountQuota(connection: Queryable, userId: string, quota: number | null): Promise<void> {
  if (quota === null) await connection.execute(clearAccountStatement, [userId]);
  else await connection.execute(setAccountStatement, [userId, quota]);
}

/** The same for a server. */
export async function setServerQuota(connection: Queryable, serverId: string, quota: number | null): Promise<void> {
  if (quota === null) await connection.execute(clearServerStatement, [serverId]);
  else await connection.execute(setServerStatement, [serverId, quota]);
}

const everyKindStatement = defineStatement({
  name: "storage_every_kind",
  text: "SELECT chosen ->> 'files' = 'any' AS any FROM instance_settings WHERE id = 1",
  row: (row: RawRow) => row.any === true,
});

/** Whether the installation stores files of every kind (docs/protocol/storage.md#34.3). */
export async function takesEveryKind(connection: Queryable): Promise<boolean> {
  const [any = false] = await connection.query(everyKindStatement, []);
  return any;
}
