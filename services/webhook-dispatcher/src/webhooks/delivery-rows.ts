import { queueFullText } from "@parley/contracts";
import { columnsOf, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { quickAnswerMs, rememberedReceiversMax, statementBatchMax, statementsInFlightMax } from "../attempts/limits.js";
import { deliveriesLoggedMax, ownerKeptMs } from "./limits.js";

/** The state of a job right before an attempt. */
export interface DeliveryState {
  url: string;
  secret: string;
  enabled: boolean;
  /** Attempts that ended; 0 for a delivery that the log does not have yet. */
  attempts: number;
  /** Delivered, or failed for good: there is nothing left to do. */
  finished: boolean;
  /** Whether the log has the delivery. */
  logged: boolean;
}

const ownersStatement = defineStatement({
  name: "dispatcher_webhook_owners",
  text: `SELECT w.id, s.owner_id FROM webhooks w JOIN servers s ON s.id = w.server_id WHERE w.id = ANY($1::uuid[])`,
  row: z.object({ id: z.string(), owner_id: z.string() }),
});

/** The row that an attempt, or the end of all attempts, writes. */
export interface DeliveryResult {
  deliveryId: string;
  webhookId: string;
  event: string;
  body: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  responseStatus: number | null;
  durationMs: number | null;
  error: string | null;
  endedAt: Date;
  /** Whether it counts for the webhook's `delivery_failures` and `last_used_at`. */
  counts: boolean;
}

/** A delivery that the full queue refused. */
export interface DroppedDelivery {
  deliveryId: string;
  webhookId: string;
  event: string;
  body: string;
}

const findStatement = defineStatement({
  name: "dispatcher_delivery_find",
  text: `SELECT w.url, w.secret, w.enabled, w.id IS NOT NULL AS exists, d.attempts, d.status
    FROM ${rowsOfArrays("uuid", "uuid")} WITH ORDINALITY AS wanted (delivery_id, webhook_id, position)
    LEFT JOIN webhooks w ON w.id = wanted.webhook_id
    LEFT JOIN webhook_deliveries d ON d.id = wanted.delivery_id AND d.webhook_id = w.id
    ORDER BY wanted.position`,
  row: z.object({
    url: z.string().nullable(),
    secret: z.string().nullable(),
    enabled: z.boolean().nullable(),
    attempts: z.int().nullable(),
    status: z.string().nullable(),
  }),
});

/**
 * The webhooks are locked in one order, so that two dispatchers do not wait for each other in a circle, and because a
 * locked one cannot be deleted before its rows are written. A delivery that is finished stays as it is: its job may
 * have been delivered twice. Every attempt, the last of a delivery or not, decides whether the webhook is slow.
 */
const recordStatement = defineStatement({
  name: "dispatcher_delivery_record",
  text: `WITH result AS MATERIALIZED (
      SELECT * FROM ${rowsOfArrays("uuid", "uuid", "text", "text", "text", "int", "int", "int", "text", "timestamptz", "boolean")}
        AS r (id, webhook_id, event, body, status, attempts, response_status, duration_ms, error, ended_at, counts)),
    hook AS MATERIALIZED (
      SELECT w.id FROM webhooks w WHERE w.id IN (SELECT webhook_id FROM result) ORDER BY w.id FOR NO KEY UPDATE),
    written AS (
      INSERT INTO webhook_deliveries AS d (id, webhook_id, event, body, status, attempts, response_status, duration_ms,
        error, created_at, finished_at)
      SELECT r.id, r.webhook_id, r.event, r.body, r.status, r.attempts, r.response_status, r.duration_ms, r.error,
        uuid_extract_timestamp(r.id), CASE WHEN r.status = 'pending' THEN NULL ELSE r.ended_at END
      FROM result r JOIN hook h ON h.id = r.webhook_id
      ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, attempts = EXCLUDED.attempts,
        response_status = EXCLUDED.response_status, duration_ms = EXCLUDED.duration_ms, error = EXCLUDED.error,
        finished_at = EXCLUDED.finished_at
      WHERE d.status = 'pending'
      RETURNING d.id),
    tally AS (
      SELECT r.webhook_id, max(r.ended_at) FILTER (WHERE r.status = 'delivered') AS last_success,
        count(*) FILTER (WHERE r.status = 'failed') AS failures
      FROM result r JOIN written ON written.id = r.id
      WHERE r.counts AND r.status <> 'pending'
      GROUP BY r.webhook_id),
    latest AS (
      SELECT DISTINCT ON (r.webhook_id) r.webhook_id, r.status <> 'delivered' OR r.duration_ms > $12 AS slow
      FROM result r JOIN written ON written.id = r.id
      WHERE r.counts
      ORDER BY r.webhook_id, r.ended_at DESC)
    UPDATE webhooks w
    SET slow = l.slow,
      delivery_failures = CASE WHEN t.last_success IS NULL THEN w.delivery_failures ELSE 0 END
          + CASE WHEN t.last_success IS NULL THEN coalesce(t.failures, 0) ELSE (
              SELECT count(*) FROM result r
              WHERE r.webhook_id = w.id AND r.counts AND r.status = 'failed' AND r.ended_at > t.last_success) END,
      last_used_at = greatest(w.last_used_at, t.last_success)
    FROM latest l JOIN hook h ON h.id = l.webhook_id LEFT JOIN tally t ON t.webhook_id = l.webhook_id
    WHERE w.id = l.webhook_id AND (t.webhook_id IS NOT NULL OR w.slow <> l.slow)`,
});

/** The fields of a result in the order of the statement's columns. */
const resultColumns = [
  ...(["deliveryId", "webhookId", "event", "body", "status", "attempts"] as const),
  ...(["responseStatus", "durationMs", "error", "endedAt", "counts"] as const),
];

/** The webhook may be gone by now; a locked one cannot go before its rows are written. */
const dropStatement = defineStatement({
  name: "dispatcher_delivery_drop",
  text: `WITH hook AS MATERIALIZED (
      SELECT w.id FROM webhooks w WHERE w.id = ANY((SELECT $2::uuid[])::uuid[]) ORDER BY w.id FOR KEY SHARE)
    INSERT INTO webhook_deliveries (id, webhook_id, event, body, status, attempts, error, created_at, finished_at)
    SELECT d.id, d.webhook_id, d.event, d.body, 'dropped', 0, $5, uuid_extract_timestamp(d.id), now()
    FROM ${rowsOfArrays("uuid", "uuid", "text", "text")} AS d (id, webhook_id, event, body)
    JOIN hook h ON h.id = d.webhook_id
    ON CONFLICT (id) DO NOTHING`,
});

/** Deliveries that wait for their next attempt stay, however many came after them. */
const trimStatement = defineStatement({
  name: "dispatcher_delivery_trim",
  text: `DELETE FROM webhook_deliveries d
    USING ${rowsOfArrays("uuid")} AS hook (id),
      LATERAL (
        SELECT k.id FROM webhook_deliveries k WHERE k.webhook_id = hook.id
        ORDER BY k.id DESC OFFSET $2 LIMIT 1) AS newest_to_go
    WHERE d.webhook_id = hook.id AND d.id <= newest_to_go.id AND d.status <> 'pending'`,
});

/** Reads and writes the log of deliveries. Every function rejects while the database is unavailable. */
export type DeliveryRows = ReturnType<typeof createDeliveryRows>;

export function createDeliveryRows({ database }: { database: Database }) {
  const find = createBatcher<{ deliveryId: string; webhookId: string }, DeliveryState | null>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(keys) {
      const rows = await database.query(findStatement, columnsOf(keys, "deliveryId", "webhookId"));
      return rows.map(({ url, secret, enabled, attempts, status }) => {
        if (url === null || secret === null || enabled === null) return null;
        const finished = status !== null && status !== "pending";
        return { url, secret, enabled, attempts: attempts ?? 0, finished, logged: status !== null };
      });
    },
  });

  const knownOwners = new LRUCache<string, string>({ max: rememberedReceiversMax, ttl: ownerKeptMs });
  const findOwner = createBatcher<string, string | null>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(webhookIds) {
      const rows = await database.query(ownersStatement, [[...new Set(webhookIds)]]);
      for (const { id, owner_id } of rows) knownOwners.set(id, owner_id);
      const owners = new Map(rows.map(({ id, owner_id }) => [id, owner_id]));
      return webhookIds.map((webhookId) => owners.get(webhookId) ?? null);
    },
  });

  const record = createBatcher<DeliveryResult, void>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(results) {
      await database.execute(recordStatement, [...columnsOf(results, ...resultColumns), quickAnswerMs]);
      return results.map(() => undefined);
    },
  });

  return {
    /** @returns null when the webhook was deleted */
    find,
    /** The owner of a webhook's server, as of the last minute; null when the webhook was deleted. */
    owner: async (webhookId: string): Promise<string | null> => knownOwners.get(webhookId) ?? findOwner(webhookId),
    /** Writes the log and the webhook's counters together (docs/protocol/webhooks.md#13.2). */
    record,
    /** Writes deliveries that the full queue refused to the log; those that it has already stay as they are. */
    async drop(deliveries: readonly DroppedDelivery[]) {
      const columns = columnsOf(deliveries, "deliveryId", "webhookId", "event", "body");
      await database.execute(dropStatement, [...columns, queueFullText]);
    },
    /** Trims the logs of these webhooks to their length. */
    async trim(webhookIds: readonly string[]) {
      await database.execute(trimStatement, [webhookIds, deliveriesLoggedMax]);
    },
  };
}
