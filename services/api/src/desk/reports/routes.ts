import { type ClientEventName, errorTexts, InstanceReport, Report, uuid } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { right } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { created, type NoEvents, none, ok, type Route, route } from "../../platform/http/route.js";
import { reportBody, reportsQuery, updateReportBody } from "./schema.js";
import type { ReportService } from "./service.js";
import { type MayReport, mayReportDirectMessage, mayReportMessage, mayReportServer, mayReportUser } from "./targets.js";

const params = z.object({ id: identifier });
const Reported = z.object({ id: uuid }).meta({ id: "Reported" });
const may = inServer(right("review_reports", errorTexts.missing_permission));
const bodyErrors = [errorTexts.report_reason_length, errorTexts.report_category_invalid];
const listErrors = [errorTexts.report_status_invalid, errorTexts.before_invalid, errorTexts.limit_not_integer];
const updateErrors = [errorTexts.report_status_invalid, errorTexts.report_note_length];
const noEvent = none("administrators have no event for what concerns the installation");

export function reportRoutes(reports: ReportService): Route[] {
  /** The four ways to report something. */
  const reporting = (thing: {
    path: string;
    name: `reports.${string}`;
    summary: string;
    causes: readonly ClientEventName[] | NoEvents;
    may: MayReport;
    /** Text of the 400 for a target of the caller's own. */
    ofOneself: string;
  }) => {
    const { ofOneself, ...declared } = thing;
    return route(
      {
        ...declared,
        method: "post",
        caller: "account",
        params,
        body: reportBody,
        success: created(Reported, "Reported"),
        otherAnswers: [ok(Reported, "The caller has reported it before")],
        errors: { invalid_input: [...bodyErrors, ofOneself], rate_limited: [errorTexts.rate_limited] },
      },
      async ({ may, body, setStatus }) => {
        const { id, isKnown } = await reports.report(await may.access(), body);
        if (isKnown) setStatus(200);
        return { id };
      },
    );
  };
  return [
    reporting({
      path: "/messages/:id/report",
      name: "reports.message",
      summary: "Report a message to those who review reports in its server",
      causes: ["REPORT_CREATE", "REPORT_UPDATE"],
      may: mayReportMessage,
      ofOneself: errorTexts.cannot_report_own_message,
    }),
    reporting({
      path: "/dm-messages/:id/report",
      name: "reports.directMessage",
      summary: "Report a direct message to the administrators of the installation",
      causes: noEvent,
      may: mayReportDirectMessage,
      ofOneself: errorTexts.cannot_report_own_message,
    }),
    reporting({
      path: "/users/:id/report",
      name: "reports.user",
      summary: "Report a user to the administrators of the installation",
      causes: noEvent,
      may: mayReportUser,
      ofOneself: errorTexts.cannot_report_yourself,
    }),
    reporting({
      path: "/servers/:id/report",
      name: "reports.server",
      summary: "Report a server to the administrators of the installation",
      causes: noEvent,
      may: mayReportServer,
      ofOneself: errorTexts.cannot_report_own_server,
    }),
    route(
      {
        method: "get",
        path: "/servers/:server_id/reports",
        name: "reports.list",
        summary: "List what was reported in a server, newest first",
        description: "Reports of the caller's own messages are not among them.",
        caller: "account",
        params: z.object({ server_id: identifier }),
        may,
        query: reportsQuery,
        success: ok(z.array(Report)),
        errors: { invalid_input: listErrors },
      },
      async ({ may, query }) => reports.list(await may.access(), query),
    ),
    route(
      {
        method: "patch",
        path: "/servers/:server_id/reports/:report_id",
        name: "reports.update",
        summary: "Close a report, or open it again",
        caller: "account",
        causes: ["REPORT_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: z.object({ server_id: identifier, report_id: identifier }),
        may,
        body: updateReportBody,
        success: ok(Report),
        errors: { invalid_input: updateErrors, not_found: [errorTexts.report_not_found] },
      },
      ({ may, params, body }) => reports.update(may, params.report_id, body),
    ),
    route(
      {
        method: "get",
        path: "/admin/reports",
        name: "admin.reports",
        tag: "administration",
        summary: "List reports of direct messages, users and servers, newest first",
        caller: "admin",
        query: reportsQuery,
        success: ok(z.array(InstanceReport)),
        errors: { invalid_input: listErrors },
      },
      ({ identity, query }) => reports.listOfInstance(identity.userId, query),
    ),
    route(
      {
        method: "patch",
        path: "/admin/reports/:report_id",
        name: "admin.updateReport",
        tag: "administration",
        summary: "Close such a report, or open it again",
        caller: "admin",
        causes: noEvent,
        params: z.object({ report_id: identifier }),
        body: updateReportBody,
        success: ok(InstanceReport),
        errors: { invalid_input: updateErrors, not_found: [errorTexts.report_not_found] },
      },
      ({ identity, params, body }) => reports.updateOfInstance(identity.userId, params.report_id, body),
    ),
  ];
}
