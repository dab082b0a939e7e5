import { errorTexts, type InstanceReport, notFound, type Report, rateLimited } from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import {
  emitReport,
  type ReportRow,
  type ReportTarget,
  recordReport,
  toInstanceReport,
  toReport,
} from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { RedisConnection } from "@parley/redis";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import type { InServer } from "../../access/may.js";
import { createAttemptCounts } from "../../platform/load/attempt-counts.js";
import { findReports, lockReport, type Reviewer, updateReport } from "./repository.js";
import type { ReportBody, ReportsQuery, UpdateReport } from "./schema.js";
import type { ReportSubmission } from "./targets.js";

/** Reports by one account within the window, all kinds together (docs/protocol/limits.md#16.1). */
const reportsMax = 20;
const reportsWindowMs = 3_600_000;

/** A report in the answer to its reporter. */
interface ReportReceipt {
  id: string;
  /** Whether the same account reported the same before. */
  isKnown: boolean;
}

/** Texts of the 404 when the server or the author goes while their report is stored. */
const missing = {
  message: errorTexts.message_not_found,
  member: errorTexts.member_not_found,
  dm_message: errorTexts.message_not_found,
  user: errorTexts.user_not_found,
  server: errorTexts.server_not_found,
} as const satisfies Record<ReportTarget["type"], string>;

export function createReportService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  redis: RedisConnection;
}) {
  const { database, outbox, redis } = options;
  const counts = createAttemptCounts({ redis, name: "report", limits: [reportsMax], windowMs: reportsWindowMs });

  const report = async ({ reporterId, target }: ReportSubmission, body: ReportBody): Promise<ReportReceipt> => {
    const counted = await counts.begin([`report:${reporterId}`]);
    if ("retryAfterSeconds" in counted)
      throw rateLimited("reports", errorTexts.rate_limited, counted.retryAfterSeconds);
    const order = "serverId" in target ? [{ server_id: target.serverId }] : [];
    try {
      return await outbox.transaction(order, (transaction, emit) =>
        recordReport(transaction, emit, { target, reporterId, ...body }),
      );
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound(missing[target.type]) : error;
    }
  };

  /** @returns the row before and after; both are the same when nothing changed */
  const change = async (
    transaction: Transaction,
    reviewer: Reviewer,
    { id, ...changes }: UpdateReport & { id: string },
  ) => {
    const before = await lockReport(transaction, reviewer, id);
    if (before === null) throw notFound(errorTexts.report_not_found);
    const { status } = changes;
    const note = changes.note === undefined ? before.note : changes.note;
    if (status === before.status && note === before.note) return { row: before, isChanged: false };
    const row = await updateReport(transaction, { id, status, note, reviewerId: reviewer.userId });
    return { row, isChanged: true };
  };
  const detailsOf = ({ status, note }: ReportRow) => ({ status, note });

  return {
    report,

    async list(reviewer: Reviewer, query: ReportsQuery): Promise<Report[]> {
      return (await findReports(database, reviewer, query)).map(toReport);
    },

    /** Closes a report or opens it again; the right is that of the moment of the change. */
    update(may: InServer, id: string, body: UpdateReport): Promise<Report> {
      return may.change(async ({ transaction, emit, access, audit }) => {
        const { row, isChanged } = await change(transaction, access, { id, ...body });
        if (isChanged) {
          await audit("report_close", id, detailsOf(row));
          emitReport(emit, "REPORT_UPDATE", row);
        }
        return toReport(row);
      });
    },

    /** Those of direct messages, users and servers. */
    async listOfInstance(userId: string, query: ReportsQuery): Promise<InstanceReport[]> {
      return (await findReports(database, { serverId: null, userId }, query)).map(toInstanceReport);
    },

    async updateOfInstance(userId: string, id: string, body: UpdateReport): Promise<InstanceReport> {
      return database.transaction(async (transaction) => {
        const { row, isChanged } = await change(transaction, { serverId: null, userId }, { id, ...body });
        const entry = { adminId: userId, action: "report_close", targetId: id, details: detailsOf(row) } as const;
        if (isChanged) await appendAdminLog(transaction, entry);
        return toInstanceReport(row);
      });
    },
  };
}

export type ReportService = ReturnType<typeof createReportService>;
