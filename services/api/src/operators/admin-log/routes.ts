import { errorTexts, timestamp, uuid } from "@parley/contracts";
import type { AdminLogEntry as AdminLogRow, Database } from "@parley/database/prisma";
import { z } from "zod";
import { findAdminLog } from "../../access/admin-log/repository.js";
import { instant } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { ok, type Route, route } from "../../platform/http/route.js";

/** An entry of the instance-wide log (docs/protocol/operators.md#18.1). */
const AdminLogEntry = z
  .object({
    id: uuid,
    admin_id: uuid.nullable(),
    action: z.string(),
    target_type: z.enum(["user", "server", "settings", "report", "import"]),
    target_id: uuid.nullable(),
    details: z.record(z.string(), z.unknown()),
    created_at: timestamp,
  })
  .meta({ id: "AdminLogEntry" });

function toAdminLogEntry(row: AdminLogRow): z.infer<typeof AdminLogEntry> {
  return AdminLogEntry.parse({ ...row, created_at: row.created_at.toISOString() });
}

export function adminLogRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/audit-log",
        name: "admin.auditLog",
        tag: "administration",
        summary: "Read what administrators did, newest first",
        caller: "admin",
        query: z.object({ before: instant(errorTexts.before_invalid).optional(), limit: pageLimit }),
        success: ok(z.array(AdminLogEntry)),
        errors: { invalid_input: [errorTexts.before_invalid, errorTexts.limit_not_integer] },
      },
      async ({ query: { before, limit } }) => (await findAdminLog(database, { before, limit })).map(toAdminLogEntry),
    ),
  ];
}
