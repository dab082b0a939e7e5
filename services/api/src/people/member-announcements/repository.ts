import { defineStatement, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Membership } from "@parley/moderation";
import { z } from "zod";

/** Returns a row while an announcement is due; an index answers it. */
export const dueAnnouncements = "SELECT FROM member_announcements WHERE due_at <= now()";

/** How long a process has a claimed announcement to itself. */
const claimSeconds = 60;
/**
 * Pause between the servers of one user, about as long as an announcement takes, so that a bot with 10,000 servers
 * delays nobody else.
 */
const spacingMs = 20;

/** A note that waits already stays: its announcement reads the member's state when it is made. */
const noteStatement = defineStatement({
  name: "member_announcement_note",
  text: `INSERT INTO member_announcements (user_id, server_id, due_at)
    SELECT m.user_id, m.server_id, now() + (row_number() OVER () - 1) * interval '${spacingMs} milliseconds'
    FROM members m WHERE m.user_id = $1 AND ${serverExists("m.server_id")}
    ON CONFLICT (user_id, server_id) DO UPDATE SET due_at = least(member_announcements.due_at, excluded.due_at)`,
});

const claimStatement = defineStatement({
  name: "member_announcement_claim",
  text: `UPDATE member_announcements SET due_at = now() + make_interval(secs => ${claimSeconds})
    WHERE (user_id, server_id) IN (
      SELECT user_id, server_id FROM member_announcements WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id, server_id`,
  row: z
    .object({ user_id: z.string(), server_id: z.string() })
    .transform(({ user_id, server_id }): Membership => ({ userId: user_id, serverId: server_id })),
});

const endStatement = defineStatement({
  name: "member_announcement_end",
  text: "DELETE FROM member_announcements WHERE user_id = $1 AND server_id = $2",
});

/** Notes that the members of a user's servers are to be notified of a change of the user. */
export async function noteMemberChange(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(noteStatement, [userId]);
}

/** Takes some announcements that are due. */
export function claimAnnouncements(connection: Queryable, size: number): Promise<Membership[]> {
  return connection.query(claimStatement, [size]);
}

/** @returns false when another process has made the announcement */
export async function endAnnouncement(transaction: Transaction, { userId, serverId }: Membership): Promise<boolean> {
  return (await transaction.execute(endStatement, [userId, serverId])) > 0;
}
