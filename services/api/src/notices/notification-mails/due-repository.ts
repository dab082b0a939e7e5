import { columnsOf, defineStatement, type RawRow, rowsOfArrays } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** Exported for the test of its plan. */
export const unplannedStatement = defineStatement({
  name: "notification_mails_unplanned",
  text: `SELECT user_id, timezone, mail_sent_at AS sent_at FROM notification_settings
    WHERE mail = 'daily' AND mail_due_at IS NULL LIMIT $1`,
  row: z.object({ user_id: z.string(), timezone: z.string(), sent_at: z.date().nullable() }),
});

const planStatement = defineStatement({
  name: "notification_mails_plan",
  text: `UPDATE notification_settings n SET mail_due_at = plan.due_at
    FROM ${rowsOfArrays("uuid", "text", "timestamptz")} AS plan (user_id, timezone, due_at)
    WHERE n.user_id = plan.user_id AND n.mail = 'daily' AND n.mail_due_at IS NULL AND n.timezone = plan.timezone`,
});

const Due = z.object({
  user_id: z.string(),
  mail: z.enum(["mentions", "daily"]),
  language: z.enum(["en", "de", "ar"]),
  /** The address of the installation that the account used when it asked for mails; null in rows from before that was kept. */
  url: z.string().nullable(),
  timezone: z.string(),
  sent_at: z.date().nullable(),
  /** This one included. */
  attempts: z.int(),
  /** Names the lease. */
  leased_until: z.date(),
  now: z.date(),
});
/** An account whose next mail is due, which this process has to itself. */
export type Due = z.infer<typeof Due>;

/** Exported for the test of its plan. */
export const claimStatement = defineStatement({
  name: "notification_mail_claim",
  text: `UPDATE notification_settings n SET mail_attempts = n.mail_attempts + 1,
      mail_leased_until = now() + make_interval(secs => $1)
    WHERE n.user_id = (
      SELECT user_id FROM notification_settings
      WHERE mail <> 'off' AND mail_due_at <= now() AND (mail_leased_until IS NULL OR mail_leased_until <= now())
      ORDER BY mail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING n.user_id, n.mail, n.mail_language AS language, n.mail_url AS url, n.timezone, n.mail_sent_at AS sent_at,
      n.mail_attempts AS attempts, n.mail_leased_until AS leased_until, now() AS now`,
  row: Due,
});

const lockStatement = defineStatement({
  name: "notification_mail_lock",
  text: `SELECT mail, timezone FROM notification_settings WHERE user_id = $1 AND mail_leased_until = $2 FOR UPDATE`,
  row: z.object({ mail: z.string(), timezone: z.string() }),
});

const forgetStatement = defineStatement({
  name: "missed_messages_forget",
  text: "DELETE FROM missed_messages WHERE user_id = $1 AND message_id = ANY ($2)",
});

const endStatement = defineStatement({
  name: "notification_mail_end",
  text: `UPDATE notification_settings SET mail_leased_until = NULL, mail_attempts = $3,
      mail_sent_at = CASE WHEN $4 THEN now() ELSE mail_sent_at END, mail_due_at = $2
    WHERE user_id = $1`,
});

const firstMissedStatement = defineStatement({
  name: "missed_messages_first",
  text: "SELECT created_at FROM missed_messages WHERE user_id = $1 ORDER BY created_at LIMIT 1",
  row: z.object({ created_at: z.date() }),
});

const waitingStatement = defineStatement({
  name: "notification_mails_waiting",
  text: "SELECT count(*) AS waiting FROM notification_settings WHERE mail <> 'off' AND mail_due_at <= now()",
  row: ({ waiting }: RawRow) => Number(waiting),
});

/** Accounts with a daily mail for which no time was set yet. */
export function findUnplanned(connection: Queryable, max: number) {
  return connection.query(unplannedStatement, [max]);
}

/** Sets when daily mails are due, unless the settings have changed since they were read. */
export async function plan(
  connection: Queryable,
  plans: readonly { user_id: string; timezone: string; due_at: Date }[],
): Promise<void> {
  await connection.execute(planStatement, columnsOf(plans, "user_id", "timezone", "due_at"));
}

/** Takes the mail that is due for the longest time; null when none is. */
export async function claimMail(connection: Queryable, leaseSeconds: number): Promise<Due | null> {
  const [due] = await connection.query(claimStatement, [leaseSeconds]);
  return due ?? null;
}

/** Locks the row of a mail. @returns its settings as they are now; null when another process has the mail */
export async function lockMail(transaction: Transaction, { user_id, leased_until }: Due) {
  const [row] = await transaction.query(lockStatement, [user_id, leased_until]);
  return row ?? null;
}

/** Removes messages that no mail needs to mention any more. */
export async function forgetMissed(transaction: Transaction, userId: string, messageIds: readonly string[]) {
  await transaction.execute(forgetStatement, [userId, messageIds]);
}

/** The time of the first message that an account has missed and no mail has mentioned. */
export async function findFirstMissed(transaction: Transaction, userId: string): Promise<Date | null> {
  const [row] = await transaction.query(firstMissedStatement, [userId]);
  return row?.created_at ?? null;
}

/** Ends a lease. */
export async function endMail(
  transaction: Transaction,
  userId: string,
  { dueAt, attempts, isSent }: { dueAt: Date | null; attempts: number; isSent: boolean },
): Promise<void> {
  await transaction.execute(endStatement, [userId, dueAt, attempts, isSent]);
}

/** How many mails are due and not sent. */
export async function countWaiting(connection: Pick<Queryable, "query">): Promise<number> {
  const [waiting = 0] = await connection.query(waitingStatement, []);
  return waiting;
}
