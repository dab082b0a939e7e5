import { AuditLogEntry } from "@parley/contracts";
import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { limitMessage } from "../../http/page-limit.js";
import { ok, type Route, route } from "../../http/route.js";
import { auditLogErrors } from "./error-texts.js";
import { auditLogQuery } from "./schema.js";
import type { AuditLogService } from "./service.js";

export function auditLogRoutes(auditLog: AuditLogService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/audit-logs",
        tag: "audit-log",
        summary: "Read the audit log of a server, newest first",
        description: "`before` is a timestamp or the id of an entry; filters are combined with AND.",
        caller: "account",
        params: z.object({ server_id: identifier }),
        query: auditLogQuery,
        success: ok(z.array(AuditLogEntry)),
        errors: {
          invalid_input: [
            "Invalid action",
            auditLogErrors.actorId,
            "Invalid target_type",
            auditLogErrors.before,
            limitMessage,
          ],
          not_found: [accessErrors.serverNotFound],
          forbidden: [auditLogErrors.ownerOnly],
        },
      },
      ({ identity, params, query }) => auditLog.list(identity.userId, params.server_id, query),
    ),
  ];
}
