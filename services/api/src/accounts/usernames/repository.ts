import { defineStatement, type RawRow } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** Days for which a former name is kept for its owner, also in a trigger of `users`. */
const keptDays = 30;
/** The time in which a name is changed {@link usernameChangesMax} times at most. */
const changesDays = 14;
export const usernameChangesMax = 2;

/** Seconds until one change more is in order, from the oldest of the last changes; none when it is. */
const waitStatement = defineStatement({
  name: "username_wait",
  text: `SELECT ceil(extract(epoch FROM changed_at + interval '${changesDays} days' - now()))::integer AS seconds
    FROM former_usernames WHERE user_id = $1 AND changed_at > now() - interval '${changesDays} days'
    ORDER BY changed_at DESC OFFSET ${usernameChangesMax - 1} LIMIT 1`,
  row: (row: RawRow) => Number(row.seconds),
});

/** A row of somebody else is one whose days are over. */
const changeStatement = defineStatement({
  name: "username_change",
  text: `WITH kept AS (
      INSERT INTO former_usernames (username, user_id) SELECT username, id FROM users WHERE id = $1
      ON CONFLICT (username) DO UPDATE SET user_id = excluded.user_id, changed_at = excluded.changed_at)
    UPDATE users SET username = $2 WHERE id = $1`,
});

/** How many seconds an account has to wait until it may change its name; null for none. */
export async function waitForChange(transaction: Transaction, userId: string): Promise<number | null> {
  const [seconds] = await transaction.query(waitStatement, [userId]);
  return seconds ?? null;
}

/** @throws isUniqueViolation of "users_username_key" for a name that somebody else has, or had in the last 30 days */
export async function changeUsername(transaction: Transaction, userId: string, username: string): Promise<void> {
  await transaction.execute(changeStatement, [userId, username]);
}

export const expiredFormerUsernames = defineExpiry({
  name: "expired former usernames",
  table: "former_usernames",
  key: "username",
  where: `changed_at < now() - interval '${keptDays} days'`,
  order: "changed_at",
});
