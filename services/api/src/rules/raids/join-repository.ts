import { caps, Member } from "@parley/contracts";
import { defineStatement, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { memberObject, memberText } from "@parley/moderation";
import { z } from "zod";

/** A user who wants to become a member. */
export interface JoinAttempt {
  serverId: string;
  userId: string;
}

/** A join that is to be stored. */
export interface Joining extends JoinAttempt {
  /** The code of the invite that it uses. */
  joinedWith?: string;
}

/** How long joins count together, in seconds (docs/protocol/moderation.md#24.7). */
export const raidWindowSecs = 60;

/** Refused joins make a raid longer in steps of this, so that not every one of them writes the row that all read. */
const extensionStepSecs = 10;

const isYoung = "u.created_at > now() - make_interval(hours => f.raid_new_accounts_hours)";

/**
 * SQL for whether a raid keeps an account from joining.
 *
 * @param sql expressions of the server's and the user's id
 */
export const refusedByRaid = (sql: { serverId: string; userId: string }) => `EXISTS (
    SELECT FROM server_safety f JOIN users u ON u.id = ${sql.userId}
    WHERE f.server_id = ${sql.serverId} AND f.raid_until > now() AND ${isYoung})`;

/** Members and banned users get an answer of their own. */
const refusedStatement = defineStatement({
  name: "raid_refuses",
  text: `SELECT ${refusedByRaid({ serverId: "$1", userId: "$2" })}
      AND NOT EXISTS (SELECT FROM members m WHERE m.server_id = $1 AND m.user_id = $2)
      AND NOT EXISTS (SELECT FROM bans b WHERE b.server_id = $1 AND b.user_id = $2) AS refused`,
  row: z.object({ refused: z.boolean() }),
});

/**
 * Decides about a join, counts it, and stores the membership if nothing forbids it. The join of a young account counts
 * while the shield is on, and any while the server is under raid, which refuses young accounts that are no members.
 * Joins of a raid that has ended do not begin another one. By the clock's time, because the transaction may have waited
 * for the joins before it. One statement, because the joins of a server wait for each other. Counting the memberships
 * takes two look-ups in indexes for each; for a bot in very many servers some milliseconds.
 */
const joinStatement = defineStatement({
  name: "member_join",
  text: `WITH shield AS MATERIALIZED (
      SELECT f.raid_joins_per_minute, f.raid_until, coalesce(f.raid_until > clock_timestamp(), false) AS under_raid,
        ${isYoung} AS is_young, f.raid_shield AND ${isYoung} AS counts
      FROM server_safety f JOIN users u ON u.id = $2 WHERE f.server_id = $1),
    noted AS (
      INSERT INTO raid_joins (server_id, user_id)
      SELECT $1, $2 FROM shield WHERE counts OR under_raid
      ON CONFLICT DO NOTHING),
    joining AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM members m WHERE m.server_id = $1 AND m.user_id = $2) AS is_member,
        EXISTS (SELECT FROM bans b WHERE b.server_id = $1 AND b.user_id = $2) AS is_banned,
        EXISTS (SELECT FROM shield WHERE under_raid AND is_young) AS is_kept_out),
    joined AS (
      INSERT INTO members (server_id, user_id, joined_with)
      SELECT $1, $2, $4 FROM joining WHERE NOT is_member AND NOT is_banned AND NOT is_kept_out
      ON CONFLICT DO NOTHING
      RETURNING *)
    SELECT is_member, is_banned, is_kept_out AND NOT is_member AS is_refused,
      coalesce(counts AND NOT under_raid AND (
        SELECT count(*) FROM (
          SELECT FROM raid_joins j
          WHERE j.server_id = $1 AND NOT j.refused
            AND j.joined_at > greatest(clock_timestamp() - interval '${raidWindowSecs} seconds', shield.raid_until)
          LIMIT shield.raid_joins_per_minute) AS earlier) >= raid_joins_per_minute, false) AS begins_raid,
      EXISTS (SELECT FROM bots WHERE user_id = $2) AS is_bot,
      (SELECT count(*)::integer FROM (
        SELECT FROM members m WHERE m.user_id = $2 AND ${serverExists("m.server_id")} LIMIT $3) AS counted) AS memberships,
      (SELECT ${memberText} FROM joined m ${memberObject}) AS member
    FROM joining LEFT JOIN shield ON true`,
  row: z.object({
    is_member: z.boolean(),
    is_banned: z.boolean(),
    is_refused: z.boolean(),
    begins_raid: z.boolean(),
    is_bot: z.boolean(),
    memberships: z.int(),
    member: z
      .string()
      .nullable()
      .transform((text) => (text === null ? null : Member.parse(JSON.parse(text)))),
  }),
});

/**
 * Notes a join that a raid refused. As many refused accounts as begin a raid within the same time make it last
 * `raid_minutes` from now; the accounts are counted, because one that tries again and again costs it nothing.
 */
const noteRefusedStatement = defineStatement({
  name: "raid_note_refused_join",
  text: `WITH noted AS (
      INSERT INTO raid_joins (server_id, user_id, refused) VALUES ($1, $2, true) ON CONFLICT DO NOTHING)
    UPDATE server_safety f SET raid_until = now() + make_interval(mins => raid_minutes)
    WHERE server_id = $1 AND raid_shield AND raid_until > now()
      AND raid_until < now() + make_interval(mins => raid_minutes) - interval '${extensionStepSecs} seconds'
      AND raid_joins_per_minute <= (
        SELECT count(DISTINCT j.user_id) FROM raid_joins j
        WHERE j.server_id = f.server_id AND j.joined_at > now() - interval '${raidWindowSecs} seconds')`,
});

/** Whether a raid refuses the join of a user who is neither a member nor banned. */
export async function isRefused(connection: Queryable, { serverId, userId }: JoinAttempt): Promise<boolean> {
  const [found] = await connection.query(refusedStatement, [serverId, userId]);
  return found?.refused ?? false;
}

/**
 * Counts a join in its own transaction, which has locked the account and then the server, and stores the membership.
 *
 * @returns the data that decides about it, with the memberships before, counted up to the cap of bots; `member` is null
 * when it is not stored
 */
export async function storeJoin(transaction: Transaction, { serverId, userId, joinedWith }: Joining) {
  const [join] = await transaction.query(joinStatement, [
    serverId,
    userId,
    caps.botMemberships.max,
    joinedWith ?? null,
  ]);
  if (join === undefined) throw new Error("A join was not counted");
  return join;
}

/** Counts a refused join, whose own transaction is rolled back. */
export async function noteRefusedJoin(connection: Queryable, { serverId, userId }: JoinAttempt): Promise<void> {
  await connection.execute(noteRefusedStatement, [serverId, userId]);
}
