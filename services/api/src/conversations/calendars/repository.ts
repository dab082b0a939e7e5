import { ScheduledEvent } from "@parley/contracts";
import { defineStatement, jsonTime, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { z } from "zod";
import { eventObject } from "../scheduled-events/repository.js";

/** Most events of a calendar, those that start last. */
const eventsMax = 1_000;

const calendarEvent = z.object({
  event: ScheduledEvent,
  /** When it was changed for the last time, or made. */
  changed_at: z.string(),
  message_id: z.string(),
  channel_id: z.string(),
  server_id: z.string(),
  server: z.string(),
  /** Null without one, and once it is gone. */
  voice_channel: z.string().nullable(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

const setSecretStatement = defineStatement({
  name: "calendar_set_secret",
  text: `INSERT INTO calendars (user_id, secret_hash) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET secret_hash = EXCLUDED.secret_hash`,
});

const ownerStatement = defineStatement({
  name: "calendar_owner",
  text: `SELECT c.user_id FROM calendars c JOIN users u ON u.id = c.user_id
    WHERE c.secret_hash = $1 AND u.disabled_at IS NULL`,
  row: (row: RawRow) => String(row.user_id),
});

const eventsStatement = defineStatement({
  name: "calendar_events",
  text: `SELECT ${eventObject} AS event, ${jsonTime("coalesce(m.edited_at, m.created_at)")} AS changed_at, m.id AS message_id, m.channel_id,
      m.server_id, s.name AS server, voice.name AS voice_channel, ${accessColumns("$1")}
    FROM event_interests i
    JOIN scheduled_events e ON e.id = i.event_id
    JOIN messages m ON m.id = e.message_id
    JOIN channels c ON c.id = m.channel_id
    JOIN servers s ON s.id = c.server_id
    JOIN members member ON member.server_id = s.id AND member.user_id = i.user_id
    LEFT JOIN channels voice ON voice.id = e.voice_channel_id AND voice.server_id = s.id
    WHERE i.user_id = $1
    ORDER BY e.starts_at DESC, e.id LIMIT ${eventsMax}`,
  row: accessRow.extend(calendarEvent.shape),
});

/** Gives the calendar of an account a secret; the one from before ends. */
export async function setSecret(connection: Queryable, userId: string, secretHash: string): Promise<void> {
  await connection.execute(setSecretStatement, [userId, secretHash]);
}

/** The account whose calendar has the secret; null for none. */
export async function findOwner(connection: Queryable, secretHash: string): Promise<string | null> {
  const [userId] = await connection.query(ownerStatement, [secretHash]);
  return userId ?? null;
}

/** The events that an account is interested in and may see, the last one first. */
export async function findCalendarEvents(connection: Queryable, userId: string): Promise<CalendarEvent[]> {
  const rows = await connection.query(eventsStatement, [userId]);
  return rows.filter((row) => hasPermission(resolveAccess(row, userId), "VIEW_CHANNEL"));
}
