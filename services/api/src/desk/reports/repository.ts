import type { ReportStatus } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { type ReportRow, reportColumns, reportRow } from "@parley/moderation";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";
import type { ReportsQuery } from "./schema.js";

/** Not smaller than any id. */
const uuidMax = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * A reviewer of reports: of a server, or with null of the installation. They do not see reports about their own
 * messages.
 */
export interface Reviewer {
  serverId: string | null;
  userId: string;
}

/** `IS NULL` has its own text, because `IS NOT DISTINCT FROM` uses no index. */
const pageStatements = (name: string, server: string) => {
  const page = (suffix: string, status: string) =>
    defineStatement({
      name: `report_page_${name}${suffix}`,
      text: `SELECT ${reportColumns} FROM reports r
        WHERE ${server}${status} AND r.author_id IS DISTINCT FROM $1::uuid AND r.id < $2
        ORDER BY r.id DESC LIMIT $3`,
      row: reportRow,
    });
  return {
    open: page("_open", " AND r.status = 'open'"),
    closed: page("_closed", " AND r.status = 'closed'"),
    all: page("", ""),
  };
};
const ofServer = pageStatements("server", "r.server_id = $4");
const ofInstance = pageStatements("instance", "r.server_id IS NULL");

const lockStatement = defineStatement({
  name: "report_lock",
  text: `SELECT ${reportColumns} FROM reports r
    WHERE r.id = $1 AND r.server_id IS NOT DISTINCT FROM $2::uuid AND r.author_id IS DISTINCT FROM $3::uuid
    FOR UPDATE`,
  row: reportRow,
});

/** The first closer of a report keeps their name on it while it is closed. */
const updateStatement = defineStatement({
  name: "report_update",
  text: `UPDATE reports r SET status = $2, note = $3,
      closed_by = CASE WHEN $2 = 'open' THEN NULL WHEN r.status = 'closed' THEN r.closed_by ELSE $4::uuid END,
      closed_at = CASE WHEN $2 = 'open' THEN NULL ELSE coalesce(r.closed_at, now()) END
    WHERE r.id = $1 RETURNING ${reportColumns}`,
  row: reportRow,
});

/** A page of reports, the newest first. */
export function findReports(
  connection: Queryable,
  { serverId, userId }: Reviewer,
  { status, before = uuidMax, limit }: ReportsQuery,
): Promise<ReportRow[]> {
  const values = [userId, before, limit];
  if (serverId === null) return connection.query(ofInstance[status ?? "all"], values);
  return connection.query(ofServer[status ?? "all"], [...values, serverId]);
}

/** A report that the reviewer may see, locked until the transaction ends. */
export async function lockReport(
  transaction: Transaction,
  { serverId, userId }: Reviewer,
  reportId: string,
): Promise<ReportRow | null> {
  const [row] = await transaction.query(lockStatement, [reportId, serverId, userId]);
  return row ?? null;
}

/** Sets status and note of a locked report. */
export async function updateReport(
  transaction: Transaction,
  change: { id: string; status: ReportStatus; note: string | null; reviewerId: string },
): Promise<ReportRow> {
  const { id, status, note, reviewerId } = change;
  const [row] = await transaction.query(updateStatement, [id, status, note, reviewerId]);
  if (row === undefined) throw new Error("A locked report is gone");
  return row;
}

/** How long the copy of the reported text is kept after the report was closed (docs/protocol/moderation.md#24.5). */
const closedReportDays = 90;

export const expiredReportContent = defineExpiry({
  name: "expired report content",
  table: "reports",
  set: "content = NULL",
  where: "closed_at < now() - make_interval(days => $2) AND content IS NOT NULL",
  order: "closed_at",
  values: [closedReportDays],
});
