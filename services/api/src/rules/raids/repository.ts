import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import { raidWindowSecs } from "./join-repository.js";

/** How long after its end a raid can still be looked into; its joins are kept as long. */
const raidKeptDays = 7;

const until = z.object({ until: z.date() }).transform((row) => row.until);
const id = (row: RawRow) => String(row.id);

/** By the clock's time, because the transaction may have waited for joins that are part of the raid. */
const beginStatement = defineStatement({
  name: "raid_begin",
  text: `UPDATE server_safety SET raid_started_at = begun.at, raid_until = begun.at + make_interval(mins => raid_minutes),
      raid_announced_until = begun.at + make_interval(mins => raid_minutes)
    FROM (SELECT clock_timestamp() AS at OFFSET 0) AS begun
    WHERE server_id = $1 RETURNING raid_until AS until`,
  row: until,
});

/** A raid that is under way goes on from when it began. */
const setStatement = defineStatement({
  name: "raid_set",
  text: `INSERT INTO server_safety AS f (server_id, raid_started_at, raid_until, raid_announced_until)
    SELECT $1, at, at + make_interval(mins => $2), at + make_interval(mins => $2)
    FROM (SELECT clock_timestamp() AS at OFFSET 0) AS begun
    ON CONFLICT (server_id) DO UPDATE SET
      raid_started_at = CASE WHEN f.raid_until > clock_timestamp() THEN f.raid_started_at ELSE excluded.raid_started_at END,
      raid_until = excluded.raid_until, raid_announced_until = excluded.raid_until
    RETURNING f.raid_until AS until`,
  row: until,
});

const stopStatement = defineStatement({
  name: "raid_stop",
  // Rounded up to the precision of the column, it would not be over yet for the next statement.
  text: `UPDATE server_safety SET raid_until = date_trunc('milliseconds', clock_timestamp())
    WHERE server_id = $1 AND raid_until > clock_timestamp()`,
});

const endStatement = defineStatement({
  name: "raid_end",
  text: `UPDATE server_safety SET raid_announced_until = NULL
    WHERE server_id = $1 AND raid_announced_until IS NOT NULL AND raid_until <= clock_timestamp()
    RETURNING raid_until AS until`,
  row: until,
});

const extendStatement = defineStatement({
  name: "raid_announce_extension",
  text: `UPDATE server_safety SET raid_announced_until = raid_until
    WHERE server_id = $1 AND raid_announced_until <> raid_until AND raid_until > clock_timestamp()
    RETURNING raid_until AS until`,
  row: until,
});

const dueStatement = defineStatement({
  name: "raid_due",
  text: `SELECT server_id AS id FROM server_safety
    WHERE raid_announced_until IS NOT NULL AND (raid_until <= clock_timestamp() OR raid_until <> raid_announced_until)
      AND server_id::text <> ALL ($2)
    ORDER BY raid_announced_until LIMIT $1`,
  row: id,
});

/**
 * The users who joined during the latest raid of the server `$1`, from before it began: members, and former ones. For a
 * raid by hand, only present members count from before it. The owner of a new server does not count.
 */
const joined = `(
    SELECT m.user_id FROM server_safety f
    JOIN members m ON m.server_id = f.server_id
      AND m.joined_at >= f.raid_started_at - interval '${raidWindowSecs} seconds' AND m.joined_at <= f.raid_until
      AND NOT EXISTS (SELECT FROM servers s WHERE s.id = m.server_id AND s.owner_id = m.user_id)
    WHERE f.server_id = $1 AND f.raid_until > now() - interval '${raidKeptDays} days'
    UNION
    SELECT j.user_id FROM server_safety f
    JOIN raid_joins j ON j.server_id = f.server_id AND NOT j.refused
      AND j.joined_at >= f.raid_started_at - interval '${raidWindowSecs} seconds' AND j.joined_at <= f.raid_until
    WHERE f.server_id = $1 AND f.raid_until > now() - interval '${raidKeptDays} days') AS joined`;

const stateStatement = defineStatement({
  name: "raid_state",
  text: `SELECT (SELECT raid_until FROM server_safety WHERE server_id = $1 AND raid_until > now()) AS until,
    (SELECT count(*)::integer FROM ${joined}) AS joined`,
  row: z.object({ until: z.date().nullable(), joined: z.int() }),
});

/** `$2` is who bans, and `$3` the last of those before. */
const banishableStatement = defineStatement({
  name: "raid_banishable",
  text: `SELECT joined.user_id AS id FROM ${joined}
    WHERE joined.user_id > $3 AND joined.user_id <> $2
      AND EXISTS (SELECT FROM users u WHERE u.id = joined.user_id)
      AND NOT EXISTS (SELECT FROM bans b WHERE b.server_id = $1 AND b.user_id = joined.user_id)
    ORDER BY joined.user_id LIMIT $4`,
  row: id,
});

/** Begins a raid in the transaction of the join that is too many. @returns its end */
export async function insertRaid(transaction: Transaction, serverId: string): Promise<Date | undefined> {
  const [end] = await transaction.query(beginStatement, [serverId]);
  return end;
}

/** Begins a raid, or has one that is under way end at another time. @returns its end */
export async function setRaid(transaction: Transaction, serverId: string, minutes: number): Promise<Date | undefined> {
  const [end] = await transaction.query(setStatement, [serverId, minutes]);
  return end;
}

/** Ends a raid that is under way; its end is still to be announced. */
export async function stopRaid(transaction: Transaction, serverId: string): Promise<void> {
  await transaction.execute(stopStatement, [serverId]);
}

/** @returns when a raid has ended whose end nobody has announced yet; the caller does, in the same transaction */
export async function takeEnd(transaction: Transaction, serverId: string): Promise<Date | undefined> {
  const [end] = await transaction.query(endStatement, [serverId]);
  return end;
}

/** @returns the end of a raid that has become longer, which the caller announces in the same transaction */
export async function takeExtension(transaction: Transaction, serverId: string): Promise<Date | undefined> {
  const [end] = await transaction.query(extendStatement, [serverId]);
  return end;
}

/**
 * Servers whose raids have ended, or last longer, and where nobody has announced it.
 *
 * @param except servers that are left out
 */
export function findDue(connection: Queryable, size: number, except: readonly string[]): Promise<string[]> {
  return connection.query(dueStatement, [size, except]);
}

/** The end of the raid that is under way, and how many joined during the latest. */
export async function findRaid(connection: Queryable, serverId: string) {
  const [found] = await connection.query(stateStatement, [serverId]);
  return found ?? { until: null, joined: 0 };
}

/** Before the id of every user. */
export const banishableStart = "00000000-0000-0000-0000-000000000000";

/** Some of those who joined during the latest raid and can be banned by the user, in the order of their ids. */
export function findBanishable(
  connection: Queryable,
  page: { serverId: string; userId: string; after: string; limit: number },
): Promise<string[]> {
  return connection.query(banishableStatement, [page.serverId, page.userId, page.after, page.limit]);
}

/** Refused joins count for a minute only; the others belong to a raid that can still be looked into. */
export const expiredRaidJoins = defineExpiry({
  name: "expired raid joins",
  table: "raid_joins",
  key: "server_id, joined_at, user_id",
  where: "joined_at < now() - CASE WHEN refused THEN interval '1 hour' ELSE make_interval(days => $2) END",
  order: "joined_at",
  values: [raidKeptDays],
});
