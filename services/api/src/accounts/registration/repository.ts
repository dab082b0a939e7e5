import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import type { MailLanguage } from "../../platform/mail/account-texts.js";

/** Days within which an address is confirmed, and for which a declined name is taken (docs/protocol/registration.md#34.2). */
const confirmationDays = 7;
const declinedDays = 30;

/**
 * Administrators get a push of each registration that waits for them, as a message of its own. It stands in a channel of their own,
 * so that those of many registrations are put together.
 */
const waitStatement = defineStatement({
  name: "registration_wait",
  text: `WITH waiting AS (
      INSERT INTO registrations (user_id, confirm_by, state, application, network, language)
      VALUES ($1, CASE WHEN $2 THEN now() + make_interval(days => ${confirmationDays}) END, $3, $4, $5, $6)
      RETURNING user_id, state)
    INSERT INTO pushes (subscription_id, message_id, channel_id, due_at)
    SELECT s.id, waiting.user_id, s.user_id, greatest(now(), s.retry_at)
    FROM waiting JOIN users a ON (a.is_admin OR a.admin_by_setting) JOIN push_subscriptions s ON s.user_id = a.id
    WHERE waiting.state = 'pending' ORDER BY s.id`,
});

const waitingStatement = defineStatement({
  name: "registration_waiting",
  text: `SELECT r.state, coalesce(r.confirm_by IS NOT NULL AND u.email_verified_at IS NULL, false) AS unconfirmed
    FROM registrations r JOIN users u ON u.id = r.user_id WHERE r.user_id = $1`,
  row: z.object({ state: z.enum(["pending", "declined"]).nullable(), unconfirmed: z.boolean() }),
});

/** What an account waits for before its first log-in. */
export interface Waiting {
  userId: string;
  confirms: boolean;
  isApproved: boolean;
  application: string | null;
  network: string;
  language: MailLanguage;
}

/** Notes in the transaction of a registration that the account cannot log in yet. */
export async function beginWaiting(transaction: Transaction, waiting: Waiting): Promise<void> {
  const { userId, confirms, isApproved, application, network, language } = waiting;
  const values = [userId, confirms, isApproved ? null : "pending", application, network, language];
  await transaction.execute(waitStatement, values);
}

/** What an account waits for; undefined for one that may log in. */
export async function findWaiting(connection: Queryable, userId: string) {
  const [row] = await connection.query(waitingStatement, [userId]);
  return row;
}

/** Accounts whose address nobody has confirmed in time, and those that were declined: their names are free again. */
export const expiredRegistrations = defineExpiry({
  name: "expired registrations",
  table: "users",
  where: `id IN (SELECT r.user_id FROM registrations r JOIN users u ON u.id = r.user_id
    WHERE r.confirm_by < now() AND u.email_verified_at IS NULL
      OR r.state = 'declined' AND r.decided_at < now() - make_interval(days => $2))`,
  order: "id",
  values: [declinedDays],
});
