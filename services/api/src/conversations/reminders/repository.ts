import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { mailTimes } from "../../notices/notification-mails/limits.js";

const reminderRow = z.object({
  id: z.string(),
  user_id: z.string(),
  message_id: z.string().nullable(),
  text: z.string().nullable(),
  due_at: z.date(),
  created_at: z.date(),
});
export type ReminderRow = z.infer<typeof reminderRow>;

const columns = Object.keys(reminderRow.shape).join(", ");

const listStatement = defineStatement({
  name: "reminder_list",
  text: `SELECT ${columns} FROM reminders WHERE user_id = $1 ORDER BY due_at, id`,
  row: reminderRow,
});

const countStatement = defineStatement({
  name: "reminder_count",
  text: "SELECT count(*)::integer AS count FROM reminders WHERE user_id = $1",
  row: (row: RawRow) => Number(row.count),
});

const insertStatement = defineStatement({
  name: "reminder_insert",
  text: `INSERT INTO reminders (user_id, message_id, text, due_at) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
  row: reminderRow,
});

const deleteStatement = defineStatement({
  name: "reminder_delete",
  text: "DELETE FROM reminders WHERE id = $1 AND user_id = $2",
});

/** Has a row while a reminder is due; an index answers it. */
export const dueReminders = "SELECT FROM reminders WHERE due_at <= now()";

const dueStatement = defineStatement({
  name: "reminder_due",
  text: `SELECT id, user_id FROM reminders WHERE due_at <= now() AND id <> ALL ($2::uuid[]) ORDER BY due_at LIMIT $1`,
  row: reminderRow.pick({ id: true, user_id: true }),
});

/**
 * The end of the reminder, its item, the pushes of the account's devices and its next mail are one statement: whichever process
 * dies, it is done once or not at all. The item stands for a message of its own, in a channel of its own, so that the push of no
 * channel delays it.
 */
const fireStatement = defineStatement({
  name: "reminder_fire",
  text: `WITH fired AS (DELETE FROM reminders WHERE id = $1 AND due_at <= now() RETURNING *),
    item AS (
      INSERT INTO inbox_items (id, user_id, kind, message_id, reminder_id, text)
      SELECT uuidv7(), user_id, 'reminder', message_id, id, text FROM fired RETURNING id, user_id),
    change AS (INSERT INTO inbox_changes (user_id) SELECT user_id FROM item),
    push AS (
      INSERT INTO pushes (subscription_id, message_id, channel_id, due_at)
      SELECT s.id, item.id, item.id, greatest(now(), s.retry_at)
      FROM item JOIN push_subscriptions s ON s.user_id = item.user_id),
    mailed AS (
      SELECT item.id, item.user_id FROM item JOIN notification_settings n ON n.user_id = item.user_id AND n.mail <> 'off'),
    missed AS (
      INSERT INTO missed_messages (user_id, message_id, is_direct, created_at) SELECT user_id, id, false, now() FROM mailed),
    due AS (
      UPDATE notification_settings n
      SET mail_due_at = greatest(now() + make_interval(secs => ${mailTimes.waitSeconds}),
        n.mail_sent_at + make_interval(secs => ${mailTimes.pauseSeconds}))
      FROM mailed WHERE n.user_id = mailed.user_id AND n.mail = 'mentions' AND n.mail_due_at IS NULL)
    SELECT id FROM fired`,
  row: (row: RawRow) => String(row.id),
});

/** The reminders of an account, the next one first. */
export function findReminders(connection: Queryable, userId: string): Promise<ReminderRow[]> {
  return connection.query(listStatement, [userId]);
}

export async function countReminders(transaction: Transaction, userId: string): Promise<number> {
  const [count] = await transaction.query(countStatement, [userId]);
  return count ?? 0;
}

export async function insertReminder(
  transaction: Transaction,
  { userId, messageId, text, at }: { userId: string; messageId: string | null; text: string | null; at: Date },
): Promise<ReminderRow> {
  const [row] = await transaction.query(insertStatement, [userId, messageId, text, at.toISOString()]);
  if (row === undefined) throw new Error("An INSERT returned no row");
  return row;
}

/** @returns false when the account has no such reminder */
export async function deleteReminder(
  transaction: Transaction,
  place: { id: string; userId: string },
): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [place.id, place.userId])) > 0;
}

/** Some reminders that are due. @param but ids that are left out */
export function findDueReminders(connection: Queryable, size: number, but: readonly string[]) {
  return connection.query(dueStatement, [size, but]);
}

/** Reminds an account. @returns false when another process did, or the reminder is gone */
export async function fireReminder(transaction: Transaction, id: string): Promise<boolean> {
  return (await transaction.query(fireStatement, [id])).length > 0;
}
