import { type ListedEvent, ScheduledEvent } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** Most events that the list of a server shows (docs/protocol/communities.md#18.3). */
export const listedMax = 50;

/** SQL for the event `e` as it goes over the wire. */
export const eventObject = `json_build_object('id', e.id, 'name', e.name, 'description', e.description,
  'starts_at', ${jsonTime("e.starts_at")}, 'created_by', e.created_by, 'created_at', ${jsonTime("e.created_at")})`;

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

/** The coming events of channels, the soonest first. */
export async function findComing(connection: Queryable, channelIds: readonly string[]): Promise<ListedEvent[]> {
  const rows = await connection.query(comingStatement, [channelIds]);
  return rows.map(({ channel_id, message_id, event }) => ({ ...event, channel_id, message_id }));
}
