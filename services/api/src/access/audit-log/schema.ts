import { errorTexts, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { idOrInstant } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";

/** Names that no entry has are no error: they find nothing. */
const filter = (field: string) => text({ min: 1, max: 64, message: `Invalid ${field}` }).optional();

export const auditLogQuery = z.object({
  action: filter("action"),
  actor_id: uuidInput(errorTexts.actor_id_invalid).optional(),
  target_type: filter("target_type"),
  before: idOrInstant(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type AuditLogQuery = z.infer<typeof auditLogQuery>;
