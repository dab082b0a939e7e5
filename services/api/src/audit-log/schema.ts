import { isUuid, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../http/page-limit.js";

/** Names that no entry has are no error: they find nothing. */
const filter = (field: string) => text({ min: 1, max: 64, message: `Invalid ${field}` }).optional();

const latest = Date.UTC(9999, 0);
const instant = z.iso.datetime({ offset: true });

/** An entry's id or an instant; years that PostgreSQL cannot read are moved to where no entry is older or newer. */
const before = z.string("Invalid before").transform((value, context) => {
  if (isUuid(value)) return { entryId: value.toLowerCase() };
  if (instant.safeParse(value).success) return { time: new Date(Math.min(Math.max(Date.parse(value), 0), latest)) };
  context.addIssue({ code: "custom", message: "Invalid before" });
  return z.NEVER;
});

export const auditLogQuery = z.object({
  action: filter("action"),
  actor_id: uuidInput("Invalid actor_id").optional(),
  target_type: filter("target_type"),
  before: before.optional(),
  limit: pageLimit,
});
export type AuditLogQuery = z.infer<typeof auditLogQuery>;
