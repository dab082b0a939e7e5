import { createEvent, InstanceReport, Report, type ReportCategory, shownReportersMax } from "@parley/contracts";
import { defineStatement, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";

/** A row of the table `reports`. */
export const reportRow = z.object({
  id: z.string(),
  server_id: z.string().nullable(),
  target_type: z.string(),
  target_id: z.string(),
  channel_id: z.string().nullable(),
  author_id: z.string().nullable(),
  content: z.string().nullable(),
  attachments: z.int(),
  reporters: z.array(z.string()),
  reasons: z.array(z.string()),
  category: z.string(),
  source: z.string(),
  status: z.string(),
  closed_by: z.string().nullable(),
  note: z.string().nullable(),
  created_at: z.date(),
  closed_at: z.date().nullable(),
});
export type ReportRow = z.infer<typeof reportRow>;

/** The columns of {@link reportRow}, in a statement where the table has the alias `r`. */
export const reportColumns = Object.keys(reportRow.shape)
  .map((column) => `r.${column}`)
  .join(", ");

/**
 * The target of a report, with a copy of its readable content; without a server it is for the installation's
 * administrators.
 */
export type ReportTarget = {
  /** The message's author, or the member or user; for a server its owner. */
  authorId: string | null;
  content: string;
} & (
  | { type: "message"; serverId: string; channelId: string; id: string; attachments: number }
  /** A member's name; `id` is theirs. */
  | { type: "member"; serverId: string; id: string }
  | { type: "dm_message"; id: string; attachments: number }
  | { type: "user" | "server"; id: string }
);

/** A report by somebody; `reporterId` is null for one of auto-moderation, whose reason names the rule. */
export interface NewReport {
  target: ReportTarget;
  reporterId: string | null;
  reason: string;
  category?: ReportCategory | undefined;
}

/**
 * Of reports of one thing at once, the second waits for the first and is added to its row. No row is returned where it
 * adds nothing: to one that has this reporter, or this reason of auto-moderation, already, and to an open one that has as
 * many as it keeps. The copy is taken anew with the report that opens a closed one again.
 */
const recordStatement = defineStatement({
  name: "report_record",
  text: `INSERT INTO reports AS r (server_id, target_type, target_id, channel_id, author_id, content, attachments,
      reporters, reasons, category, source)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ARRAY[$9::text], $10, $11)
    ON CONFLICT (target_type, target_id, server_id) DO UPDATE SET
      reporters = CASE WHEN cardinality(r.reasons) < ${shownReportersMax} THEN r.reporters || excluded.reporters ELSE r.reporters END,
      reasons = CASE WHEN cardinality(r.reasons) < ${shownReportersMax} THEN r.reasons || excluded.reasons ELSE r.reasons END,
      content = CASE r.status WHEN 'open' THEN r.content ELSE excluded.content END,
      attachments = CASE r.status WHEN 'open' THEN r.attachments ELSE excluded.attachments END,
      status = 'open', closed_by = NULL, closed_at = NULL
    WHERE NOT CASE cardinality(excluded.reporters) WHEN 0 THEN r.reasons ELSE r.reporters::text[] END
        @> CASE cardinality(excluded.reporters) WHEN 0 THEN excluded.reasons ELSE excluded.reporters::text[] END
      AND (r.status = 'closed' OR cardinality(r.reasons) < ${shownReportersMax})
    RETURNING ${reportColumns}, r.xmax = 0 AS is_new`,
  row: reportRow.extend({ is_new: z.boolean() }),
});

/** Sees the row that the statement before was kept from adding to, as it is locked until the transaction ends. */
const findStatement = defineStatement({
  name: "report_find",
  text: `SELECT id, reporters FROM reports
    WHERE target_type = $1 AND target_id = $2 AND server_id IS NOT DISTINCT FROM $3::uuid`,
  row: z.object({ id: z.string(), reporters: z.array(z.string()) }),
});

/** For a second report of the same reporter after the first one was closed. */
const reopenStatement = defineStatement({
  name: "report_reopen",
  text: `UPDATE reports AS r SET content = $2, attachments = $3, status = 'open', closed_by = NULL, closed_at = NULL
    WHERE id = $1 AND status = 'closed' RETURNING ${reportColumns}`,
  row: reportRow,
});

/**
 * Records a report in the caller's transaction: all of one thing are one row, which a new report opens again. The
 * events of a server's are REPORT_CREATE and REPORT_UPDATE, ordered with those of the server.
 *
 * @returns the row's id, and whether the same reporter, or auto-moderation for the same reason, reported it before
 */
export async function recordReport(
  transaction: Transaction,
  emit: Emit,
  { target, reporterId, reason, category = "other" }: NewReport,
): Promise<{ id: string; isKnown: boolean }> {
  const serverId = "serverId" in target ? target.serverId : null;
  const attachments = "attachments" in target ? target.attachments : 0;
  const [row] = await transaction.query(recordStatement, [
    serverId,
    target.type,
    target.id,
    "channelId" in target ? target.channelId : null,
    target.authorId,
    target.content,
    attachments,
    reporterId === null ? [] : [reporterId],
    reason,
    category,
    reporterId === null ? "automod" : "member",
  ]);
  if (row === undefined) {
    const [known] = await transaction.query(findStatement, [target.type, target.id, serverId]);
    if (known === undefined) throw new Error("A report was not stored");
    if (reporterId !== null) {
      const [again] = await transaction.query(reopenStatement, [known.id, target.content, attachments]);
      if (again !== undefined) emitReport(emit, "REPORT_UPDATE", again);
    }
    return { id: known.id, isKnown: reporterId === null || known.reporters.includes(reporterId) };
  }
  emitReport(emit, row.is_new ? "REPORT_CREATE" : "REPORT_UPDATE", row);
  return { id: row.id, isKnown: false };
}

/** Announces a server's report to those who review reports, never to the author; one of the installation has no event. */
export function emitReport(emit: Emit, name: "REPORT_CREATE" | "REPORT_UPDATE", row: ReportRow): void {
  const { server_id, author_id } = row;
  if (server_id === null) return;
  const routing = { readers: "review_reports", except_user: author_id ?? undefined } as const;
  emit(createEvent(name, { server_id }, toReport(row), routing));
}

/** A server's report as it goes over the wire (docs/protocol/moderation.md#24.5). */
export function toReport(row: ReportRow): Report {
  const message_id = row.target_type === "message" ? row.target_id : null;
  return Report.parse({ ...row, ...timesOf(row), message_id });
}

/** A report of the installation as it goes over the wire. */
export function toInstanceReport(row: ReportRow): InstanceReport {
  return InstanceReport.parse({ ...row, ...timesOf(row) });
}

const timesOf = ({ created_at, closed_at }: ReportRow) => ({
  created_at: created_at.toISOString(),
  closed_at: closed_at?.toISOString() ?? null,
});
