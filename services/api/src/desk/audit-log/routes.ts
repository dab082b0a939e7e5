import { AuditLogEntry, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { auditLogQuery } from "../../access/audit-log/schema.js";
import { inServer } from "../../access/may.js";
import { right } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import type { AuditLogService } from "./service.js";

export function auditLogRoutes(auditLog: AuditLogService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/audit-logs",
        name: "auditLog.list",
        summary: "Read the audit log of a server, newest first",
        description: "`before` is a timestamp or the id of an entry; filters are combined with AND.",
        caller: "account",
        params: z.object({ server_id: identifier }),
        may: inServer(right("view_audit_log", errorTexts.audit_log_owner_only)),
        query: auditLogQuery,
        success: ok(z.array(AuditLogEntry)),
        errors: {
          invalid_input: [
            errorTexts.action_invalid,
            errorTexts.actor_id_invalid,
            errorTexts.target_type_invalid,
            errorTexts.before_invalid,
            errorTexts.limit_not_integer,
          ],
        },
      },
      async ({ may, query }) => auditLog.list((await may.access()).serverId, query),
    ),
  ];
}
