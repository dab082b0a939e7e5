import { ScheduledEvent } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { eventObject } from "../scheduled-events/repository.js";
import type { UpdateEvent } from "../scheduled-events/schema.js";

/** A scheduled event, and where and whose its message is. */
const locatedEvent = z.object({
  event: ScheduledEvent,
  message_id: z.string(),
  channel_id: z.string(),
  server_id: z.string(),
  author_id: z.string().nullable(),
});
export type LocatedEvent = z.infer<typeof locatedEvent>;

const locateStatement = defineStatement({
  name: "scheduled_event_locate",
  text: `SELECT ${eventObject} AS event, m.id AS message_id, m.channel_id, m.server_id, m.author_id
    FROM scheduled_events e JOIN messages m ON m.id = e.message_id
    WHERE e.id = $1 AND NOT m.deleted`,
  row: locatedEvent,
});

/** $2, $5: null for no change. $4: whether to change the description, which may become null. */
const updateStatement = defineStatement({
  name: "scheduled_event_update",
  text: `UPDATE scheduled_events e
    SET name = coalesce($2, name), description = CASE WHEN $4 THEN $3 ELSE description END,
      starts_at = coalesce($5::timestamptz, starts_at)
    WHERE e.id = $1
    RETURNING ${eventObject} AS event`,
  row: z.object({ event: ScheduledEvent }),
});

/** Null when it does not exist or its message is deleted. */
export async function locateEvent(connection: Queryable, eventId: string): Promise<LocatedEvent | null> {
  const [located] = await connection.query(locateStatement, [eventId]);
  return located ?? null;
}

/** @returns null when it was deleted meanwhile */
export async function updateEvent(
  transaction: Transaction,
  eventId: string,
  { name, description, starts_at }: UpdateEvent,
): Promise<ScheduledEvent | null> {
  const values = [eventId, name ?? null, description ?? null, description !== undefined, starts_at ?? null];
  const [updated] = await transaction.query(updateStatement, values);
  return updated?.event ?? null;
}
