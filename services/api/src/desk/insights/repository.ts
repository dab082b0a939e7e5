import {
  InsightChannel,
  type InsightDay,
  InsightInvite,
  insightInvitesMax,
  insightSpans,
  type LocalDay,
} from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** Figures of channels and invites by the number of days. */
const Spans = z.partialRecord(
  z.enum(insightSpans.map(String)),
  z.object({ channels: z.array(InsightChannel), invites: z.array(InsightInvite) }),
);

const zoneStatement = defineStatement({
  name: "insights_zone",
  text: `SELECT s.timezone, i.spans FROM servers s JOIN insight_counts i ON i.server_id = s.id WHERE s.id = $1`,
  row: z.object({ timezone: z.string(), spans: Spans }),
});

const daysStatement = defineStatement({
  name: "insights_days",
  text: `SELECT day::text AS date, joins, leaves, members, active_members, writers, messages
    FROM insight_days WHERE server_id = $1 AND day BETWEEN $2::date AND $3::date`,
  row: z.object({
    date: z.string(),
    joins: z.int(),
    leaves: z.int(),
    members: z.int(),
    active_members: z.int(),
    writers: z.int(),
    messages: z.int(),
  }),
});

/** The time zone of a server, and the figures of its channels and invites as they were counted last. */
export async function findSpans(connection: Queryable, serverId: string) {
  const [found] = await connection.query(zoneStatement, [serverId]);
  return found;
}

/** The counted days of a server from one date until another. */
export function findDays(
  connection: Queryable,
  { serverId, from, until }: { serverId: string; from: string; until: string },
): Promise<InsightDay[]> {
  return connection.query(daysStatement, [serverId, from, until]);
}

/** Returns a row while a server is to be counted; an index answers it. */
export const dueCounts = "SELECT FROM insight_counts WHERE due_at <= now()";

/** How long a process has a claimed server to itself, for the statement of one day; one that has died delays it by as much. */
const claimSeconds = 60;
/** Days of counted figures and changes that are kept, a few more than anybody can ask for, as time zones change. */
const keptDays = 93;

const claimStatement = defineStatement({
  name: "insights_claim",
  text: `UPDATE insight_counts i SET due_at = now() + make_interval(secs => ${claimSeconds}) FROM servers s
    WHERE s.id = i.server_id AND i.server_id = (
      SELECT server_id FROM insight_counts WHERE due_at <= now() AND server_id::text <> ALL ($1)
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING s.id, s.timezone, s.created_at, now() AS now`,
  row: z.object({ id: z.string(), timezone: z.string(), created_at: z.date(), now: z.date() }),
});
export type ClaimedServer = NonNullable<Awaited<ReturnType<typeof claimServer>>>;

const countedStatement = defineStatement({
  name: "insights_counted",
  text: "SELECT day::text AS date, counted_at FROM insight_days WHERE server_id = $1 AND day >= $2::date",
  row: z.object({ date: z.string(), counted_at: z.date() }),
});

const ofDay = "m.channel_id = c.id AND m.created_at >= $3 AND m.created_at < $4";

/**
 * Counts one day of a server anew, with two ranges of the history index for each channel. Messages of bots, webhooks and
 * imported people do not count; those that were deleted do. A member who reads later days leaves the marks of this one, which
 * is counted again after its end: so accounts that were found active stay counted.
 */
const countStatement = defineStatement({
  name: "insights_count",
  text: `WITH written AS MATERIALIZED (
      SELECT m.channel_id, m.author_id, count(*)::integer AS messages
      FROM channels c CROSS JOIN LATERAL (
        SELECT m.channel_id, m.author_id FROM messages m WHERE ${ofDay} AND m.listed
        UNION ALL
        SELECT m.channel_id, m.author_id FROM messages m WHERE ${ofDay} AND NOT m.listed) m
      WHERE c.server_id = $1 AND m.author_id IS NOT NULL GROUP BY m.channel_id, m.author_id),
    sent AS MATERIALIZED (
      SELECT w.channel_id, w.author_id, w.messages FROM written w JOIN users u ON u.id = w.author_id
      WHERE NOT u.is_webhook AND NOT u.imported AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)),
    seen AS MATERIALIZED (
      SELECT author_id AS user_id FROM sent
      UNION
      SELECT r.user_id FROM channels c JOIN read_states r ON r.channel_id = c.id
        JOIN members m ON m.server_id = $1 AND m.user_id = r.user_id
      WHERE c.server_id = $1 AND r.last_read_at >= $3 AND r.last_read_at < $4
        AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = r.user_id)
      UNION
      SELECT user_id FROM insight_marks WHERE server_id = $1 AND place_id = $1 AND last_day = $2::date),
    marked AS (
      INSERT INTO insight_marks (server_id, place_id, user_id, last_day)
      SELECT $1, place_id, user_id, $2::date FROM (
        SELECT channel_id AS place_id, author_id AS user_id FROM sent UNION ALL SELECT $1, user_id FROM seen) AS places
      ORDER BY place_id, user_id
      ON CONFLICT (server_id, place_id, user_id) DO UPDATE SET last_day = excluded.last_day
        WHERE insight_marks.last_day < excluded.last_day),
    changed AS (
      SELECT coalesce(sum(members) FILTER (WHERE members > 0 AND at < $4), 0) AS joins,
        coalesce(-sum(members) FILTER (WHERE members < 0 AND at < $4), 0) AS leaves,
        coalesce(sum(members) FILTER (WHERE at >= $4), 0) AS later
      FROM membership_changes WHERE server_id = $1 AND at >= $3)
    INSERT INTO insight_days AS d
      (server_id, day, joins, leaves, members, active_members, writers, messages, channels, counted_at)
    SELECT s.id, $2::date, changed.joins, changed.leaves, greatest(s.member_count - changed.later, 0),
      (SELECT count(*) FROM seen), (SELECT count(DISTINCT author_id) FROM sent),
      (SELECT coalesce(sum(messages), 0) FROM sent),
      (SELECT coalesce(jsonb_object_agg(channel_id, messages), '{}')
        FROM (SELECT channel_id, sum(messages) AS messages FROM sent GROUP BY channel_id) AS channels),
      now()
    FROM servers s, changed WHERE s.id = $1
    ON CONFLICT (server_id, day) DO UPDATE SET joins = excluded.joins, leaves = excluded.leaves,
      members = excluded.members, active_members = greatest(d.active_members, excluded.active_members),
      writers = excluded.writers, messages = excluded.messages, channels = excluded.channels,
      counted_at = excluded.counted_at`,
  isPlannedEachTime: true,
});

/** Sums up the counted days for each number of days, which the last day ends, and forgets what is too old. */
const finishStatement = defineStatement({
  name: "insights_finish",
  text: `WITH old_days AS (DELETE FROM insight_days WHERE server_id = $1 AND day < $2::date - ${keptDays}),
    old_marks AS (DELETE FROM insight_marks WHERE server_id = $1 AND last_day < $2::date - ${keptDays}),
    old_changes AS (DELETE FROM membership_changes WHERE server_id = $1 AND at < now() - interval '${keptDays} days')
    UPDATE insight_counts SET due_at = $3, spans = (
      SELECT jsonb_object_agg(span.days, jsonb_build_object(
        'channels', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'channel_id', channel_id, 'messages', messages, 'writers', coalesce(writers, 0))), '[]')
          FROM (
            SELECT e.key::uuid AS channel_id, sum(e.value::integer) AS messages
            FROM insight_days d CROSS JOIN jsonb_each_text(d.channels) e
            WHERE d.server_id = $1 AND d.day > $2::date - span.days AND d.day <= $2::date GROUP BY e.key) AS sent
          LEFT JOIN (
            SELECT place_id AS channel_id, count(*) AS writers FROM insight_marks
            WHERE server_id = $1 AND place_id <> $1 AND last_day > $2::date - span.days GROUP BY place_id) AS written
            USING (channel_id)),
        'invites', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'code', code, 'joins', joins, 'still_members', coalesce(still_members, 0)) ORDER BY joins DESC, code), '[]')
          FROM (
            SELECT code, sum(members) AS joins FROM membership_changes
            WHERE server_id = $1 AND at >= span.since AND code IS NOT NULL
            GROUP BY code ORDER BY joins DESC, code LIMIT ${insightInvitesMax}) AS joined
          LEFT JOIN (
            SELECT joined_with AS code, count(*) AS still_members FROM members
            WHERE server_id = $1 AND joined_at >= span.since AND joined_with IS NOT NULL GROUP BY joined_with) AS left_over
            USING (code))))
      FROM unnest($4::integer[], $5::timestamptz[]) AS span (days, since))
    WHERE server_id = $1`,
  isPlannedEachTime: true,
});

const againStatement = defineStatement({
  name: "insights_again",
  text: "UPDATE insight_counts SET due_at = now() WHERE server_id = $1",
});

/** Takes the server that waits for the longest time to be counted; undefined when none does. */
export async function claimServer(connection: Queryable, except: readonly string[]) {
  const [claimed] = await connection.query(claimStatement, [except]);
  return claimed;
}

/** When the days of a server from one date on were counted last. */
export async function findCounted(connection: Queryable, serverId: string, from: string): Promise<Map<string, Date>> {
  const rows = await connection.query(countedStatement, [serverId, from]);
  return new Map(rows.map(({ date, counted_at }) => [date, counted_at]));
}

/** Counts a day of a server, in one statement: a process that dies in it leaves the row of before. */
export async function countDay(connection: Queryable, serverId: string, { date, start, end }: LocalDay): Promise<void> {
  await connection.execute(countStatement, [serverId, date, start, end]);
}

/** The server waits for its next day. */
export async function countAgain(connection: Queryable, serverId: string): Promise<void> {
  await connection.execute(againStatement, [serverId]);
}

/**
 * Ends the count of a server.
 *
 * @param finished.dueAt when it is to be counted again
 * @param finished.since the beginning of each number of days
 */
export async function finishCount(
  connection: Queryable,
  serverId: string,
  finished: { date: string; dueAt: Date; since: readonly { days: number; start: Date }[] },
): Promise<void> {
  const { date, dueAt, since } = finished;
  const spans = [since.map(({ days }) => days), since.map(({ start }) => start)] as const;
  await connection.execute(finishStatement, [serverId, date, dueAt, ...spans]);
}
