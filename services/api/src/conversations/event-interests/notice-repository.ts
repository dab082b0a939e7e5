import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";

/** Between the pushes of the devices of a notice, so that mentions are sent between those of a large event. */
const pace = "interval '1 ms'";

/** Has a row while a notice is due; an index answers it. */
export const dueNotices = "SELECT FROM scheduled_events WHERE notice_due_at <= now()";

const dueStatement = defineStatement({
  name: "event_notices_due",
  text: `SELECT id FROM scheduled_events WHERE notice_due_at <= now() AND id <> ALL ($2::uuid[])
    ORDER BY notice_due_at LIMIT $1`,
  row: (row: RawRow) => String(row.id),
});

/**
 * The end of the notice and the pushes of the devices are one statement: whichever process dies, it is done once or not at all. The
 * push stands for a message of its own, in a channel of its own, so that the pushes of no channel delay it.
 */
const fireStatement = defineStatement({
  name: "event_notice_fire",
  text: `WITH fired AS (
      UPDATE scheduled_events SET notice_id = uuidv7(), notice_due_at = CASE WHEN starts_at > now() THEN starts_at END
      WHERE id = $1 AND notice_due_at <= now() RETURNING id, notice_id)
    INSERT INTO pushes (subscription_id, message_id, channel_id, due_at)
    SELECT s.id, fired.notice_id, fired.notice_id,
      greatest(now() + (row_number() OVER (ORDER BY s.id) - 1) * ${pace}, s.retry_at)
    FROM fired
    JOIN event_interests i ON i.event_id = fired.id
    JOIN push_subscriptions s ON s.user_id = i.user_id
    ORDER BY s.id`,
});

/** Ids of some events whose interested accounts are due a push. @param but ids that are left out */
export function findDueNotices(connection: Queryable, size: number, but: readonly string[]): Promise<string[]> {
  return connection.query(dueStatement, [size, but]);
}

/** Has the devices of interested accounts pushed to, unless another process did. */
export async function fireNotice(connection: Queryable, eventId: string): Promise<void> {
  await connection.execute(fireStatement, [eventId]);
}
