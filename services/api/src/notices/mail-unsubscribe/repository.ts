import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

const accountStatement = defineStatement({
  name: "mail_unsubscribe_account",
  text: `SELECT u.email, coalesce(n.mail, 'off') AS mail, coalesce(n.mail_language, 'en') AS language
    FROM users u LEFT JOIN notification_settings n ON n.user_id = u.id
    WHERE u.id = $1 AND u.email IS NOT NULL AND u.disabled_at IS NULL`,
  row: z.object({ email: z.string(), mail: z.string(), language: z.enum(["en", "de", "ar"]) }),
});

/** The address of an account that has one, and its mails; null for no such account. */
export async function findMailedAccount(connection: Queryable, userId: string) {
  const [account] = await connection.query(accountStatement, [userId]);
  return account ?? null;
}
