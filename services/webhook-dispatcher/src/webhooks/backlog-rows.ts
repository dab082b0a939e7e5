import { columnsOf, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { statementBatchMax, statementsInFlightMax } from "../attempts/limits.js";
import { backlogLeaseMs } from "./limits.js";

/**
 * Events of a webhook that are to be read from the stream: those from `from` on, all of them while it is `growing`, and
 * otherwise those that were stored before it ceased to be.
 */
const backlogRow = z.object({
  /** The webhook. */
  id: z.string(),
  server_id: z.string(),
  event_types: z.array(z.string()),
  enabled: z.boolean(),
  slow: z.boolean(),
  /** All webhooks of the server. */
  server_webhook_ids: z.array(z.string()),
  from: z.int(),
  growing: z.boolean(),
});
export type Backlog = z.infer<typeof backlogRow>;

/** In the order of ids, so that two dispatchers do not wait for each other in a circle. */
const addStatement = defineStatement({
  name: "dispatcher_backlog_add",
  text: `INSERT INTO webhook_backlogs AS b (webhook_id, from_sequence)
    SELECT w.id, e.sequence FROM (
      SELECT webhook_id, min(sequence) AS sequence
      FROM ${rowsOfArrays("uuid", "bigint")} AS event (webhook_id, sequence) GROUP BY webhook_id) e
    JOIN webhooks w ON w.id = e.webhook_id
    ORDER BY w.id
    ON CONFLICT (webhook_id) DO UPDATE
    SET from_sequence = least(b.from_sequence, EXCLUDED.from_sequence), growing = true
    WHERE NOT b.growing OR b.from_sequence > EXCLUDED.from_sequence`,
});

const claimStatement = defineStatement({
  name: "dispatcher_backlog_claim",
  text: `WITH due AS MATERIALIZED (
      SELECT webhook_id FROM webhook_backlogs WHERE due_at <= clock_timestamp()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE webhook_backlogs b SET due_at = clock_timestamp() + $2::int * interval '1 ms'
    FROM due JOIN webhooks w ON w.id = due.webhook_id
    WHERE b.webhook_id = due.webhook_id
    RETURNING w.id, w.server_id, w.event_types, w.enabled, w.slow,
      (SELECT array_agg(s.id) FROM webhooks s WHERE s.server_id = w.server_id) AS server_webhook_ids,
      b.from_sequence::float8 AS from, b.growing`,
  row: backlogRow,
});

const releaseStatement = defineStatement({
  name: "dispatcher_backlog_release",
  text: `UPDATE webhook_backlogs
    SET from_sequence = CASE WHEN from_sequence = $2::bigint THEN $3::bigint ELSE from_sequence END,
      growing = growing AND (from_sequence <> $2::bigint OR $4::boolean),
      due_at = clock_timestamp() + $5::int * interval '1 ms'
    WHERE webhook_id = $1::uuid`,
});

const endStatement = defineStatement({
  name: "dispatcher_backlog_end",
  text: `DELETE FROM webhook_backlogs WHERE webhook_id = $1::uuid AND from_sequence = $2::bigint AND NOT growing
    RETURNING webhook_id`,
  row: z.object({ webhook_id: z.string() }),
});

const countStatement = defineStatement({
  name: "dispatcher_backlog_count",
  text: "SELECT count(*)::int AS backlogs FROM webhook_backlogs",
  row: z.object({ backlogs: z.int() }),
});

/** The backlogs, shared by all dispatchers. Every function rejects while the database is unavailable. */
export type BacklogRows = ReturnType<typeof createBacklogRows>;

export function createBacklogRows({ database }: { database: Database }) {
  const add = createBatcher<{ webhookId: string; sequence: number }, void>({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(events) {
      await database.execute(addStatement, columnsOf(events, "webhookId", "sequence"));
      return events.map(() => undefined);
    },
  });
  return {
    /** Begins a backlog at an event, or extends it to this event. */
    add,
    /** Takes backlogs that are due, those that waited longest first; no other process gets them for {@link backlogLeaseMs}. */
    claim: (max: number): Promise<Backlog[]> => database.query(claimStatement, [max, backlogLeaseMs]),
    /**
     * Ends a claim.
     *
     * @param next.from the first event that this process has not read; ignored when the backlog was extended to earlier
     * ones
     * @param next.growing false: events that are stored from now on are not a part of it, unless it was extended
     */
    async release({ id, from }: Backlog, next: { from: number; growing: boolean; pauseMs: number }) {
      await database.execute(releaseStatement, [id, from, next.from, next.growing, next.pauseMs]);
    },
    /** Ends a backlog that does not grow. @returns false when it was extended, or grows again */
    async end({ id, from }: Backlog) {
      return (await database.query(endStatement, [id, from])).length > 0;
    },
    /** Number of backlogs. */
    async count() {
      const [row] = await database.query(countStatement, []);
      return row?.backlogs ?? 0;
    },
  };
}
