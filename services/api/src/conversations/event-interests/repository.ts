import { ScheduledEvent } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { eventObject, firstNotice } from "../scheduled-events/repository.js";

const addStatement = defineStatement({
  name: "event_interest_add",
  text: "INSERT INTO event_interests (event_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
});

const removeStatement = defineStatement({
  name: "event_interest_remove",
  text: "DELETE FROM event_interests WHERE event_id = $1 AND user_id = $2",
});

/** Nobody is notified of an event without interest, so its first notice is planned here. */
const planStatement = defineStatement({
  name: "event_interest_plan",
  text: `UPDATE scheduled_events e
    SET notice_due_at = CASE WHEN e.starts_at > now() THEN coalesce(e.notice_due_at, ${firstNotice("e.starts_at")})
      ELSE e.notice_due_at END
    WHERE e.id = $1
    RETURNING ${eventObject} AS event`,
  row: z.object({ event: ScheduledEvent }),
});

/** Sets whether an account is interested in an event. @returns the event, null when nothing has changed */
export async function setInterest(
  transaction: Transaction,
  { eventId, userId, isInterested }: { eventId: string; userId: string; isInterested: boolean },
): Promise<ScheduledEvent | null> {
  const changed = await transaction.execute(isInterested ? addStatement : removeStatement, [eventId, userId]);
  if (changed === 0) return null;
  const [row] = await transaction.query(planStatement, [eventId]);
  return row?.event ?? null;
}
