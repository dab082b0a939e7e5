import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { requireChannel } from "../../access/channel-access.js";

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

export function createReadStateService({ database }: { database: Database }) {
  return {
    /** Moves the caller's last-read mark of a channel to now (docs/interface.md#7.8). */
    async acknowledge(userId: string, channelId: string): Promise<void> {
      await requireChannel(database, channelId, userId);
      try {
        await database.execute(markStatement, [userId, channelId]);
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(errorTexts.channel_not_found) : error;
      }
    },
  };
}

export type ReadStateService = ReturnType<typeof createReadStateService>;
