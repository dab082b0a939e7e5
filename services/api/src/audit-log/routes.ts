import { AuditLogEntry } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../http/input.js";
import { ok, type Route, route } from "../http/route.js";
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
            "Invalid actor_id",
            "Invalid target_type",
            "Invalid before",
            "limit must be an integer",
          ],
          not_found: ["Server not found"],
          forbidden: ["Only the server owner can view audit logs"],
        },
      },
      ({ identity, params, query }) => auditLog.list(identity.userId, params.server_id, query),
    ),
  ];
}
