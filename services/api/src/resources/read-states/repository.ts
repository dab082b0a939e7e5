import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";

/**
 * Truncated, because messages carry truncated milliseconds: a mark rounded up would hide one sent right after it.
 * `now()` is when the transaction began: a statement that waited for the row must not replace a later mark.
 */
const markStatement = defineStatement({
  name: "read_state_mark",
  text: `INSERT INTO read_states (user_id, channel_id, last_read_at)
    VALUES ($1, $2, date_trunc('milliseconds', now()))
    ON CONFLICT (user_id, channel_id) DO UPDATE
      SET last_read_at = greatest(read_states.last_read_at, excluded.last_read_at)`,
});

/**
 * Moves a user's last-read mark of a channel to now (docs/interface.md#7.8).
 *
 * @throws ServiceError 404 when the channel is gone
 */
export async function markRead(connection: Queryable, channelId: string, userId: string): Promise<void> {
  try {
    await connection.execute(markStatement, [userId, channelId]);
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound(errorTexts.channel_not_found) : error;
  }
}
