import { NotificationSettings } from "@parley/contracts";
import { defineStatement, jsonTime, type RawRow, rowsOfArrays } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** The things that settings belong to, beside the account itself. */
export const targetKinds = ["server", "channel", "thread"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Settings of a server, a channel or a thread. */
export interface Target {
  kind: TargetKind;
  id: string;
  level: string | null;
  /** A timestamp or `forever`. */
  mutedUntil: string | null;
  suppressEveryone: boolean;
}

/**
 * SQL for the settings of an account as they go over the wire.
 *
 * @param userId SQL of its id
 */
export const notificationsOf = (userId: string) => {
  const targets = (kind: TargetKind, fields: string) => `(
      SELECT coalesce(json_object_agg(t.target_id, json_build_object('level', t.level${fields}) ORDER BY t.target_id), '{}')
      FROM notification_targets t WHERE t.user_id = ${userId} AND t.kind = '${kind}')`;
  const muted = `, 'muted_until', CASE WHEN t.muted_until = 'infinity' THEN 'forever' ELSE ${jsonTime("t.muted_until")} END`;
  return `(SELECT json_build_object(
      'default', json_build_object('level', coalesce(n.level, 'mentions')),
      'servers', ${targets("server", `${muted}, 'suppress_everyone', t.suppress_everyone`)},
      'channels', ${targets("channel", muted)},
      'threads', ${targets("thread", "")},
      'quiet', CASE WHEN n.quiet_from IS NOT NULL THEN json_build_object('from', n.quiet_from, 'to', n.quiet_to) END,
      'timezone', coalesce(n.timezone, 'UTC'),
      'push', json_build_object('enabled', coalesce(n.push_enabled, true), 'content', coalesce(n.push_content, true)),
      'mail', coalesce(n.mail, 'off'))
    FROM (SELECT) AS nothing LEFT JOIN notification_settings n ON n.user_id = ${userId})`;
};

const findStatement = defineStatement({
  name: "notifications_find",
  text: `SELECT ${notificationsOf("$1")} AS settings`,
  row: z.object({ settings: NotificationSettings }),
});

/**
 * When the times of the mails change, a mail about missed messages is due for a new look at once, and a daily one is
 * planned by the job that sends them.
 */
const saveStatement = defineStatement({
  name: "notifications_save",
  text: `INSERT INTO notification_settings AS n
      (user_id, level, quiet_from, quiet_to, timezone, push_enabled, push_content, mail, mail_language, mail_url)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, 'en'), $10)
    ON CONFLICT (user_id) DO UPDATE SET level = EXCLUDED.level, quiet_from = EXCLUDED.quiet_from,
      quiet_to = EXCLUDED.quiet_to, timezone = EXCLUDED.timezone, push_enabled = EXCLUDED.push_enabled,
      push_content = EXCLUDED.push_content, mail = EXCLUDED.mail, mail_language = coalesce($9, n.mail_language),
      mail_url = coalesce($10, n.mail_url),
      mail_due_at = CASE
        WHEN (n.mail, n.timezone, n.quiet_from, n.quiet_to)
          IS NOT DISTINCT FROM (EXCLUDED.mail, EXCLUDED.timezone, EXCLUDED.quiet_from, EXCLUDED.quiet_to) THEN n.mail_due_at
        WHEN EXCLUDED.mail = 'mentions' THEN now() END`,
});

const forgetMissedStatement = defineStatement({
  name: "notifications_forget_missed",
  text: "DELETE FROM missed_messages WHERE user_id = $1",
});

const saveTargetsStatement = defineStatement({
  name: "notification_targets_save",
  text: `INSERT INTO notification_targets AS t (user_id, kind, target_id, level, muted_until, suppress_everyone, read_at)
    SELECT $6, kind, target_id, level, CASE muted WHEN 'forever' THEN 'infinity' ELSE muted END::timestamptz, suppress,
      CASE WHEN kind = 'thread' THEN date_trunc('milliseconds', now()) END
    FROM ${rowsOfArrays("text", "uuid", "text", "text", "boolean")} AS target (kind, target_id, level, muted, suppress)
    ON CONFLICT (user_id, kind, target_id) DO UPDATE SET level = EXCLUDED.level, muted_until = EXCLUDED.muted_until,
      suppress_everyone = EXCLUDED.suppress_everyone, set_at = now(),
      read_at = CASE WHEN t.level = 'nothing' THEN EXCLUDED.read_at ELSE coalesce(t.read_at, t.set_at) END`,
});

/** Replies after `since` are unread, which is now without one. */
const followStatement = defineStatement({
  name: "notification_thread_follow",
  text: `INSERT INTO notification_targets (user_id, kind, target_id, level, set_at, read_at)
    VALUES ($1, 'thread', $2, 'all', coalesce($3, now()), coalesce($3, date_trunc('milliseconds', now())))
    ON CONFLICT DO NOTHING`,
});

const removeTargetsStatement = defineStatement({
  name: "notification_targets_remove",
  text: `DELETE FROM notification_targets t USING ${rowsOfArrays("text", "uuid")} AS target (kind, target_id)
    WHERE t.user_id = $3 AND t.kind = target.kind AND t.target_id = target.target_id`,
});

/** One row for each reader, in their order. */
const threadsStatement = defineStatement({
  name: "notification_threads_set",
  text: `SELECT EXISTS (SELECT FROM notification_targets t
      WHERE t.user_id = reader.user_id AND t.kind = 'thread' AND t.target_id = reader.root_id) AS is_set
    FROM ${rowsOfArrays("uuid", "uuid")} WITH ORDINALITY AS reader (user_id, root_id, position) ORDER BY position`,
  row: ({ is_set }: RawRow) => is_set === true,
});

const newestThreadsStatement = defineStatement({
  name: "notification_threads_keep_newest",
  text: `DELETE FROM notification_targets WHERE user_id = $1 AND kind = 'thread' AND target_id IN (
      SELECT target_id FROM notification_targets WHERE user_id = $1 AND kind = 'thread'
      ORDER BY set_at DESC, target_id OFFSET $2)`,
});

/** Somebody and the root of a thread that they read. */
export interface Reader {
  userId: string;
  rootId: string;
}

/** Whether each of the readers has settings of their thread. */
export function findSetThreads(connection: Queryable, readers: readonly Reader[]): Promise<boolean[]> {
  return connection.query(threadsStatement, [readers.map(({ userId }) => userId), readers.map(({ rootId }) => rootId)]);
}

/** Lets an account follow a thread that it has no settings of. @returns whether it had none */
export async function insertFollowed(
  transaction: Transaction,
  { userId, rootId, since }: Reader & { since: Date | null },
): Promise<boolean> {
  return (await transaction.execute(followStatement, [userId, rootId, since?.toISOString() ?? null])) > 0;
}

/** Removes the settings of all threads of an account but those `max` that were set last. */
export async function keepNewestThreads(transaction: Transaction, userId: string, max: number): Promise<void> {
  await transaction.execute(newestThreadsStatement, [userId, max]);
}

/** Settings of an account, which are the defaults where nothing was set. */
export async function findNotifications(connection: Queryable, userId: string): Promise<NotificationSettings> {
  const [row] = await connection.query(findStatement, [userId]);
  if (row === undefined) throw new Error("A statement without conditions has no row");
  return row.settings;
}

/** Stores the account's own settings. @param mailLanguage null for the one that is set */
export async function saveNotifications(
  transaction: Transaction,
  userId: string,
  { default: { level }, quiet, timezone, push, mail }: NotificationSettings,
  asked: { language: string; url: string } | null,
): Promise<void> {
  const times = [quiet?.from ?? null, quiet?.to ?? null];
  const values = [userId, level, ...times, timezone, push.enabled, push.content, mail];
  await transaction.execute(saveStatement, [...values, asked?.language ?? null, asked?.url ?? null]);
}

/** Leaves the next mail without a message. */
export async function forgetMissed(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(forgetMissedStatement, [userId]);
}

/** Stores settings of servers, channels and threads. */
export async function saveTargets(transaction: Transaction, userId: string, targets: readonly Target[]): Promise<void> {
  await transaction.execute(saveTargetsStatement, [
    targets.map(({ kind }) => kind),
    targets.map(({ id }) => id),
    targets.map(({ level }) => level),
    targets.map(({ mutedUntil }) => mutedUntil),
    targets.map(({ suppressEveryone }) => suppressEveryone),
    userId,
  ]);
}

/** Removes settings of servers, channels and threads. */
export async function removeTargets(
  transaction: Transaction,
  userId: string,
  targets: readonly Pick<Target, "kind" | "id">[],
): Promise<void> {
  await transaction.execute(removeTargetsStatement, [
    targets.map(({ kind }) => kind),
    targets.map(({ id }) => id),
    userId,
  ]);
}

/**
 * How long the settings of a target that does not exist are kept (docs/protocol/notifications.md#26.1), and the
 * interval of checks whether it exists.
 */
const missingTargetDays = 30;
const targetCheckDays = 1;

const targetExists = `CASE t.kind
    WHEN 'server' THEN EXISTS (SELECT FROM servers s WHERE s.id = t.target_id)
    WHEN 'thread' THEN EXISTS (SELECT FROM messages m WHERE m.id = t.target_id)
    ELSE EXISTS (SELECT FROM channels c WHERE c.id = t.target_id) OR EXISTS (SELECT FROM dm_channels d WHERE d.id = t.target_id) END`;

/** Notes which targets exist. */
export const uncheckedTargets = defineExpiry({
  name: "expired notification checks",
  table: "notification_targets",
  key: "user_id, kind, target_id",
  set: `checked_at = now(),
    missing_since = CASE WHEN ${targetExists} THEN NULL ELSE coalesce(t.missing_since, now()) END`,
  where: "checked_at < now() - make_interval(days => $2)",
  order: "checked_at",
  values: [targetCheckDays],
});

export const missingTargets = defineExpiry({
  name: "expired notification targets",
  table: "notification_targets",
  key: "user_id, kind, target_id",
  where: "missing_since < now() - make_interval(days => $2)",
  order: "missing_since",
  values: [missingTargetDays],
});
