import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { mailLanguages } from "../../platform/mail/account-texts.js";
import type { PendingRegistration } from "./schema.js";

const listStatement = defineStatement({
  name: "registration_list",
  text: `SELECT r.user_id, u.username, u.email, r.application, r.created_at, r.network
    FROM registrations r JOIN users u ON u.id = r.user_id
    WHERE r.state = $1 AND ($2::uuid IS NULL OR (r.created_at, r.user_id) < (
      (SELECT c.created_at FROM registrations c WHERE c.user_id = $2), $2))
    ORDER BY r.created_at DESC, r.user_id DESC LIMIT $3`,
  row: z.object({
    user_id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    application: z.string().nullable(),
    created_at: z.date().transform((date) => date.toISOString()),
    network: z.string(),
  }),
});

const countStatement = defineStatement({
  name: "registration_count",
  text: "SELECT count(*)::integer AS total FROM registrations WHERE state = $1",
  row: z.object({ total: z.int() }),
});

const decided = z.object({ username: z.string(), email: z.string().nullable(), language: z.enum(mailLanguages) });

const approveStatement = defineStatement({
  name: "registration_approve",
  text: `UPDATE registrations r SET state = NULL FROM users u
    WHERE r.user_id = $1 AND r.state = 'pending' AND u.id = r.user_id
    RETURNING u.username, u.email, r.language`,
  row: decided,
});

const declineStatement = defineStatement({
  name: "registration_decline",
  text: `UPDATE registrations r SET state = 'declined', decided_at = now(), reason = $2 FROM users u
    WHERE r.user_id = $1 AND r.state = 'pending' AND u.id = r.user_id
    RETURNING u.username, u.email, r.language`,
  row: decided,
});

/** Registrations of a state, the newest first, and how many there are. */
export async function findRegistrations(
  connection: Queryable,
  { state, before, limit }: { state: "pending" | "declined"; before: string | undefined; limit: number },
): Promise<{ registrations: PendingRegistration[]; total: number }> {
  const [registrations, [count]] = await Promise.all([
    connection.query(listStatement, [state, before ?? null, limit]),
    connection.query(countStatement, [state]),
  ]);
  return { registrations, total: count?.total ?? 0 };
}

/** Lets an account log in. @returns undefined when none of it waits */
export async function approve(transaction: Transaction, userId: string) {
  const [row] = await transaction.query(approveStatement, [userId]);
  return row;
}

/** Refuses an account. @returns undefined when none of it waits */
export async function decline(transaction: Transaction, userId: string, reason: string | null) {
  const [row] = await transaction.query(declineStatement, [userId, reason]);
  return row;
}
