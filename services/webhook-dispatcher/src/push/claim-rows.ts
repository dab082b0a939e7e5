import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { mergePauseMs, pushLeaseMs } from "./limits.js";

/** A device that this dispatcher sends to, alone until the lease ends. */
const device = z.object({
  id: z.string(),
  user_id: z.string(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  channel_id: z.string(),
  /** Number of failed attempts to send this. */
  failures: z.int(),
});

/** The due messages of a channel for a device. */
const claimedMessages = device.extend({
  server_id: z.string().nullable(),
  /** In the order in which they were sent. */
  message_ids: z.array(z.string()),
  /** Milliseconds until the next push of the channel may go. */
  wait_ms: z.number(),
});
export type ClaimedMessages = z.infer<typeof claimedMessages>;

/** A channel that was read after a device got a push of it. */
const claimedRead = device.extend({ pushed_at: z.date(), message_at: z.date() });
export type ClaimedRead = z.infer<typeof claimedRead>;

/** Claims for each device the channel that has waited longest; skips devices that another dispatcher is claiming. */
const claim = (table: string, dueAt: string) => `
  WITH ready AS MATERIALIZED (
    SELECT due.subscription_id, due.channel_id, due.${dueAt} AS due_at
    FROM ${table} due JOIN push_subscriptions s ON s.id = due.subscription_id
    WHERE due.${dueAt} <= now() AND coalesce(s.busy_until <= now(), true) AND coalesce(s.retry_at <= now(), true)
    ORDER BY due.${dueAt} LIMIT $2 FOR NO KEY UPDATE OF s SKIP LOCKED
  ), first AS (
    SELECT DISTINCT ON (subscription_id) subscription_id, channel_id FROM ready ORDER BY subscription_id, due_at
  ), claimed AS (
    UPDATE push_subscriptions s SET sender = $1, busy_until = now() + interval '${pushLeaseMs} ms'
    FROM first WHERE s.id = first.subscription_id
    RETURNING s.id, s.user_id, s.endpoint, s.p256dh, s.auth, first.channel_id)`;

export const messagesStatement = defineStatement({
  name: "push_claim_messages",
  text: `${claim("pushes", "due_at")}
    SELECT claimed.*, due.server_id, due.message_ids, due.failures, greatest(0, coalesce(
      extract(epoch FROM pushed.pushed_at + interval '${mergePauseMs} ms' - now()) * 1000, 0))::float8 AS wait_ms
    FROM claimed
    CROSS JOIN LATERAL (
      SELECT (array_agg(p.server_id))[1] AS server_id, max(p.failures)::int AS failures,
        array_agg(p.message_id ORDER BY p.message_id) AS message_ids
      FROM pushes p
      WHERE p.subscription_id = claimed.id AND p.channel_id = claimed.channel_id AND p.due_at <= now()) due
    LEFT JOIN pushed_channels pushed ON pushed.subscription_id = claimed.id AND pushed.channel_id = claimed.channel_id`,
  row: claimedMessages,
});

export const readsStatement = defineStatement({
  name: "push_claim_reads",
  text: `${claim("pushed_channels", "read_due_at")}
    SELECT claimed.*, pushed.failures::int AS failures, pushed.pushed_at, pushed.message_at
    FROM claimed
    JOIN pushed_channels pushed ON pushed.subscription_id = claimed.id AND pushed.channel_id = claimed.channel_id`,
  row: claimedRead,
});

const oldestStatement = defineStatement({
  name: "push_oldest",
  text: `SELECT greatest(0, coalesce(extract(epoch FROM now() - min(p.due_at)), 0))::float8 AS seconds
    FROM pushes p JOIN push_subscriptions s ON s.id = p.subscription_id WHERE p.due_at <= now()`,
  row: z.object({ seconds: z.number() }),
});

/** Claims up to `max` devices with due messages. */
export const claimMessages = (database: Pick<Database, "query">, sender: string, max: number) =>
  database.query(messagesStatement, [sender, max]);

/** Claims up to `max` devices with channels that the user read elsewhere. */
export const claimReads = (database: Pick<Database, "query">, sender: string, max: number) =>
  database.query(readsStatement, [sender, max]);

/** Seconds for which the push that has waited longest has been due; 0 for none. */
export async function oldestPush(database: Pick<Database, "query">): Promise<number> {
  const [row] = await database.query(oldestStatement, []);
  return row?.seconds ?? 0;
}
