import { type Database, defineStatement } from "@parley/database";
import type { Closable, Logger } from "@parley/service-runtime";
import { z } from "zod";
import { startBatches } from "../load/start-batches.js";

/** How often each process looks for deleted roles whose assignments are still stored. */
const purgeIntervalMs = 2_000;
/** Assignments removed in one statement. */
const purgeBatchMax = 1_000;

/**
 * The next assignments of the role that was deleted first, of those that no other process is at, and that no replay asks
 * for any more: it reads who held the role before the event of its deletion (docs/architecture.md#continuing). Those that another
 * transaction removes with their member are left to it, so that the two cannot deadlock; should it roll back, they are
 * still there the next time.
 */
const batchStatement = defineStatement({
  name: "role_purge_batch",
  text: `WITH next AS MATERIALIZED (
      SELECT role_id FROM role_purges WHERE created_at < now() - $2 * interval '1 ms' ORDER BY created_at, role_id LIMIT 1 FOR UPDATE SKIP LOCKED),
    doomed AS MATERIALIZED (
      SELECT server_id, user_id, role_id FROM member_roles WHERE role_id = (SELECT role_id FROM next)
      ORDER BY joined_at, user_id LIMIT $1 FOR UPDATE SKIP LOCKED),
    removed AS (
      DELETE FROM member_roles r USING doomed
      WHERE r.server_id = doomed.server_id AND r.user_id = doomed.user_id AND r.role_id = doomed.role_id),
    finished AS (
      DELETE FROM role_purges p USING next
      WHERE p.role_id = next.role_id AND NOT EXISTS (SELECT FROM member_roles r WHERE r.role_id = next.role_id))
    SELECT role_id FROM next`,
  row: z.object({ role_id: z.string() }),
});

/**
 * Removes the assignments of deleted roles, in small batches beside the requests; every process does it.
 *
 * @param options.eventsMaxAgeMs how long the stream keeps events
 */
export function startPurgingAssignments(options: {
  database: Database;
  logger: Logger;
  eventsMaxAgeMs: number;
}): Closable {
  const { database, logger, eventsMaxAgeMs } = options;
  return startBatches({
    batch: async (size) => (await database.query(batchStatement, [size, eventsMaxAgeMs])).length > 0,
    sizeMax: purgeBatchMax,
    intervalMs: purgeIntervalMs,
    onFailure: (err) => logger.warn({ err }, "assignments of a deleted role could not be removed yet"),
  });
}
