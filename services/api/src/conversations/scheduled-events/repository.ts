import { type ListedEvent, ScheduledEvent } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** Most events that the list of a server shows (docs/protocol/communities.md#18.3). */
export const listedMax = 50;

/** SQL for the event `e` as it goes over the wire to nobody in particular. Keys of section 34.7 are left out while they are null. */
export const eventObject = `jsonb_build_object('id', e.id, 'name', e.name, 'description', e.description,
    'starts_at', ${jsonTime("e.starts_at")}, 'created_by', e.created_by, 'created_at', ${jsonTime("e.created_at")})
  || jsonb_strip_nulls(jsonb_build_object('ends_at', ${jsonTime("e.ends_at")}, 'place', e.place,
    'voice_channel_id', e.voice_channel_id, 'interested_count', e.interested_count))`;

/** How long before an event the first push goes (docs/protocol/communities.md#18.3). */
const lead = "interval '15 minutes'";

/** SQL for the time of the first push of an event that starts at the given time; at its start when the other one is past. */
export const firstNotice = (startsAt: string) =>
  `CASE WHEN ${startsAt} - ${lead} > now() THEN ${startsAt} - ${lead} ELSE ${startsAt} END`;

/** Column with the event of the message `m`; null where it has none. */
export const eventColumn = `(SELECT ${eventObject} FROM scheduled_events e WHERE e.message_id = m.id) AS event`;

/** No channel gives more than the list takes, so channels with very many events cost no more than others. */
const comingStatement = defineStatement({
  name: "scheduled_event_coming",
  text: `SELECT e.channel_id, e.message_id, ${eventObject} AS event
    FROM (SELECT $1::uuid[]) AS q (channel_ids), unnest(q.channel_ids) AS c (id)
    CROSS JOIN LATERAL (
      SELECT * FROM scheduled_events WHERE channel_id = c.id AND starts_at > now()
      ORDER BY starts_at, id LIMIT ${listedMax}) AS e
    ORDER BY e.starts_at, e.id LIMIT ${listedMax}`,
  row: z.object({ channel_id: z.string(), message_id: z.string(), event: ScheduledEvent }),
});

const interestsStatement = defineStatement({
  name: "scheduled_event_interests",
  text: "SELECT event_id FROM event_interests WHERE user_id = $1 AND event_id = ANY ($2::uuid[])",
  row: z.object({ event_id: z.string() }),
});

/** The coming events of channels, the soonest first. */
export async function findComing(
  connection: Queryable,
  channelIds: readonly string[],
  viewerId: string,
): Promise<ListedEvent[]> {
  const rows = await connection.query(comingStatement, [channelIds]);
  const withMe = await findInterests(
    connection,
    rows.map(({ event }) => event),
    viewerId,
  );
  return rows.map(({ channel_id, message_id, event }) => ({ ...withMe(event), channel_id, message_id }));
}

/**
 * Reads which of the events an account is interested in; no statement where nobody is.
 *
 * @param viewerId null for no account
 * @returns adds `me` to those of the events that have had interest
 */
export async function findInterests(
  connection: Queryable,
  events: readonly ScheduledEvent[],
  viewerId: string | null,
): Promise<<Event extends ScheduledEvent>(event: Event) => Event> {
  const ids = events.filter(({ interested_count }) => interested_count !== undefined).map(({ id }) => id);
  if (viewerId === null || ids.length === 0) return (event) => event;
  const rows = await connection.query(interestsStatement, [viewerId, ids]);
  const interesting = new Set(rows.map(({ event_id }) => event_id));
  return (event) => (event.interested_count === undefined ? event : { ...event, me: interesting.has(event.id) });
}
