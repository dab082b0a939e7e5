import { clearableText, errorTexts, reportCategories, reportStatuses, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../../platform/http/page-limit.js";

export const reportBody = z.object({
  reason: text({ min: 1, max: 1000, message: errorTexts.report_reason_length }),
  category: z.enum(reportCategories, errorTexts.report_category_invalid).optional(),
});
export type ReportBody = z.infer<typeof reportBody>;

export const reportsQuery = z.object({
  status: z.enum(reportStatuses, errorTexts.report_status_invalid).optional(),
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type ReportsQuery = z.infer<typeof reportsQuery>;

export const updateReportBody = z.object({
  status: z.enum(reportStatuses, errorTexts.report_status_invalid),
  note: clearableText(1000, errorTexts.report_note_length).nullish(),
});
export type UpdateReport = z.infer<typeof updateReportBody>;
