import { text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { idOrInstant } from "../../http/input.js";
import { pageLimit } from "../../http/page-limit.js";
import { auditLogErrors } from "./error-texts.js";

/** Names that no entry has are no error: they find nothing. */
const filter = (field: string) => text({ min: 1, max: 64, message: `Invalid ${field}` }).optional();

export const auditLogQuery = z.object({
  action: filter("action"),
  actor_id: uuidInput(auditLogErrors.actorId).optional(),
  target_type: filter("target_type"),
  before: idOrInstant(auditLogErrors.before).optional(),
  limit: pageLimit,
});
export type AuditLogQuery = z.infer<typeof auditLogQuery>;
