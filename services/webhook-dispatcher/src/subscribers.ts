import { defineStatement } from "@parley/database";
import { z } from "zod";

/** What decides about an event's job for a webhook. */
export interface Subscriber {
  id: string;
  event_types: string[];
  enabled: boolean;
  /** Whether the last attempt failed or took longer than a second; false before the first one. */
  slow: boolean;
}

/** A webhook of the server of an event that was consumed. */
export interface ConsumingSubscriber extends Subscriber {
  /** The place in the stream from which on its events are left to its backlog; null for none. */
  backlog_from: number | null;
}

/** Read for every batch of events and not cached, so a change applies to the next event. */
export const subscribersStatement = defineStatement({
  name: "dispatcher_subscribers",
  text: `SELECT w.id, w.server_id, w.event_types, w.enabled, w.slow,
      CASE WHEN b.growing THEN b.from_sequence::float8 END AS backlog_from
    FROM webhooks w LEFT JOIN webhook_backlogs b ON b.webhook_id = w.id
    WHERE w.server_id = ANY($1::uuid[]) ORDER BY w.id`,
  row: z.object({
    id: z.string(),
    server_id: z.string(),
    event_types: z.array(z.string()),
    enabled: z.boolean(),
    slow: z.boolean(),
    backlog_from: z.int().nullable(),
  }),
});
