import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import type { BanNetwork, NetworkBan } from "./schema.js";

const columns = "id, cidr, reason, expires_at, created_by, created_at";
const inForce = "(expires_at IS NULL OR expires_at > now())";
const instant = z.date().transform((date) => date.toISOString());
const row = z.object({
  id: z.string(),
  cidr: z.string(),
  reason: z.string().nullable(),
  expires_at: instant.nullable(),
  created_by: z.string().nullable(),
  created_at: instant,
});

const listStatement = defineStatement({
  name: "network_ban_list",
  text: `SELECT ${columns} FROM network_bans
    WHERE ${inForce} AND ($1::uuid IS NULL OR (created_at, id) < ((SELECT b.created_at FROM network_bans b WHERE b.id = $1), $1))
    ORDER BY created_at DESC, id DESC LIMIT $2`,
  row,
});

const countStatement = defineStatement({
  name: "network_ban_count",
  text: `SELECT count(*)::integer AS total FROM network_bans WHERE ${inForce}`,
  row: (counted: RawRow) => Number(counted.total),
});

const insertStatement = defineStatement({
  name: "network_ban_insert",
  text: `INSERT INTO network_bans (cidr, reason, created_by, created_at, expires_at)
    VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(mins => $4)) RETURNING ${columns}`,
  row,
});

const deleteStatement = defineStatement({
  name: "network_ban_delete",
  text: `DELETE FROM network_bans WHERE id = $1 AND ${inForce} RETURNING cidr`,
  row: (deleted: RawRow) => String(deleted.cidr),
});

export async function countBans(connection: Queryable): Promise<number> {
  const [total = 0] = await connection.query(countStatement, []);
  return total;
}

/** Bans in force, the newest first, and how many there are. */
export async function findBans(
  connection: Queryable,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ bans: NetworkBan[]; total: number }> {
  const [bans, total] = await Promise.all([
    connection.query(listStatement, [before ?? null, limit]),
    countBans(connection),
  ]);
  return { bans, total };
}

export async function insertBan(
  transaction: Transaction,
  adminId: string,
  { cidr, reason = null, expires_in_minutes }: BanNetwork,
): Promise<NetworkBan> {
  const [ban] = await transaction.query(insertStatement, [cidr.text, reason, adminId, expires_in_minutes ?? null]);
  if (ban === undefined) throw new Error("the ban was not inserted");
  return ban;
}

/** @returns the network that is free again; undefined when there is no such ban */
export async function deleteBan(transaction: Transaction, id: string): Promise<string | undefined> {
  const [cidr] = await transaction.query(deleteStatement, [id]);
  return cidr;
}

export const expiredNetworkBans = defineExpiry({
  name: "expired network bans",
  table: "network_bans",
  where: "expires_at <= now()",
  order: "expires_at",
});
