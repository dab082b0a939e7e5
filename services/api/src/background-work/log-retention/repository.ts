import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import type { ExpirySweep } from "../expiry/start-sweeping.js";
import { auditEntriesMax, automodEntriesMax, deletedServersAuditDays, trimBatchMax, trimServersMax } from "./limits.js";

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
  cut: defineStatement({
    name: `${table}_cut`,
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
export type ServerLog = Pick<(typeof serverLogs)[number], "look" | "cut"> & { readonly kept: number };

/** Deletions of servers belong to none; only operators can read them. */
export const deletedServersSweep: ExpirySweep = {
  statement: defineStatement({
    name: "audit_deleted_servers_sweep",
    text: `DELETE FROM audit_log_entries WHERE id IN (
        SELECT id FROM audit_log_entries WHERE server_id IS NULL AND created_at < now() - make_interval(days => $2)
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  }),
  values: [deletedServersAuditDays],
};

const first = "00000000-0000-0000-0000-000000000000";

/** Cuts a log of all servers to its length; yields after each statement, so that the caller may pause or stop. */
export async function* trim(database: Pick<Database, "query" | "execute">, log: ServerLog): AsyncGenerator<void> {
  for (let after: string | undefined = first; after !== undefined; ) {
    const servers: LookedAt[] = await database.query(log.look, [
      after,
      trimServersMax,
      log.kept,
      deletedServersAuditDays,
    ]);
    yield;
    for (const { server_id, created_at, id } of servers) {
      if (created_at === null) continue;
      while ((await database.execute(log.cut, [server_id, created_at, id, trimBatchMax])) === trimBatchMax) yield;
    }
    after = servers.length < trimServersMax ? undefined : servers.at(-1)?.server_id;
  }
}
