import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { deletedServersAuditDays } from "../../access/audit-log/repository.js";

/** Entries that the audit log of a server keeps, the newest (docs/protocol/limits.md#16.3). */
const auditEntriesMax = 100_000;
/** Entries that the auto-moderation log of a server keeps; its list shows the newest 100. */
const automodEntriesMax = 1_000;
/** Servers whose logs one statement looks at, and entries that one deletes. */
export const trimServersMax = 20;
export const trimBatchMax = 500;

/** A server that has entries, with the newest one that is too many, or too old when the server is gone. */
const LookedAt = z.object({ server_id: z.string(), created_at: z.date().nullable(), id: z.string().nullable() });
type LookedAt = z.infer<typeof LookedAt>;

/** A table of entries of servers, with an index by server and time, newest first. */
const defineTrim = (table: "audit_log_entries" | "automod_logs") => ({
  /** The next servers that have entries, all look-ups in the index. */
  look: defineStatement({
    name: `${table}_look`,
    text: `WITH RECURSIVE logged AS (
        (SELECT server_id FROM ${table} WHERE server_id > $1 ORDER BY server_id LIMIT 1)
        UNION ALL
        SELECT (SELECT t.server_id FROM ${table} t WHERE t.server_id > logged.server_id ORDER BY t.server_id LIMIT 1)
        FROM logged WHERE logged.server_id IS NOT NULL)
      SELECT next.server_id, excess.created_at, excess.id
      FROM (SELECT server_id FROM logged WHERE server_id IS NOT NULL LIMIT $2) AS next
      LEFT JOIN LATERAL (
        (SELECT t.created_at, t.id FROM ${table} t WHERE t.server_id = next.server_id
          ORDER BY t.created_at DESC, t.id DESC OFFSET $3 LIMIT 1)
        UNION ALL
        (SELECT t.created_at, t.id FROM ${table} t
          WHERE t.server_id = next.server_id AND t.created_at < now() - make_interval(days => $4)
            AND NOT EXISTS (SELECT FROM servers s WHERE s.id = next.server_id)
          ORDER BY t.created_at DESC, t.id DESC LIMIT 1)
        ORDER BY created_at DESC, id DESC LIMIT 1) AS excess ON true
      ORDER BY next.server_id`,
    row: LookedAt,
  }),
  /** Entries that another process is at are left to it. */
  trim: defineStatement({
    name: `${table}_trim`,
    text: `DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE server_id = $1 AND (created_at, id) <= ($2::timestamptz, $3::uuid)
        ORDER BY created_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)`,
  }),
});

/** The logs of servers, and how many entries of a server each keeps. */
export const serverLogs = [
  { ...defineTrim("audit_log_entries"), kept: auditEntriesMax },
  { ...defineTrim("automod_logs"), kept: automodEntriesMax },
] as const;
export type ServerLog = Pick<(typeof serverLogs)[number], "look" | "trim"> & { readonly kept: number };

const first = "00000000-0000-0000-0000-000000000000";

/**
 * Trims a log of all servers to its length; yields after each statement how many entries it has deleted, so that the caller
 * may pause or stop.
 */
export async function* trimLog(
  database: Pick<Database, "query" | "execute">,
  log: ServerLog,
): AsyncGenerator<number, undefined> {
  for (let after: string | undefined = first; after !== undefined; ) {
    const servers: LookedAt[] = await database.query(log.look, [
      after,
      trimServersMax,
      log.kept,
      deletedServersAuditDays,
    ]);
    yield 0;
    for (const { server_id, created_at, id } of servers) {
      if (created_at === null) continue;
      for (let deleted = trimBatchMax; deleted === trimBatchMax; yield deleted)
        deleted = await database.execute(log.trim, [server_id, created_at, id, trimBatchMax]);
    }
    after = servers.length < trimServersMax ? undefined : servers.at(-1)?.server_id;
  }
}
