import { ScheduledEvent } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { eventObject, firstNotice } from "../scheduled-events/repository.js";
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

const givenOr = (name: string) => `CASE WHEN $4::jsonb ? '${name}' THEN given.${name} ELSE e.${name} END`;

/** $2, $3: null for no change. $4: the given ones of the fields that may become null. Another start has its own pushes. */
const updateStatement = defineStatement({
  name: "scheduled_event_update",
  text: `UPDATE scheduled_events e
    SET name = coalesce($2, e.name), starts_at = coalesce($3::timestamptz, e.starts_at),
      notice_due_at = CASE WHEN e.interested_count IS NULL OR coalesce($3::timestamptz = e.starts_at, true) THEN e.notice_due_at
        ELSE ${firstNotice("$3::timestamptz")} END,
      description = ${givenOr("description")}, ends_at = ${givenOr("ends_at")}, place = ${givenOr("place")},
      voice_channel_id = ${givenOr("voice_channel_id")}
    FROM jsonb_to_record($4::jsonb) AS given (description text, ends_at timestamptz, place text, voice_channel_id uuid)
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
  { name, starts_at, ...clearable }: UpdateEvent,
): Promise<ScheduledEvent | null> {
  const values = [eventId, name ?? null, starts_at ?? null, JSON.stringify(clearable)];
  const [updated] = await transaction.query(updateStatement, values);
  return updated?.event ?? null;
}
