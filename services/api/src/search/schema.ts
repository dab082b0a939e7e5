import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimitDefault, pageLimitMax } from "../http/page-limit.js";
import { queryLengthMax, queryLengthMin } from "./limits.js";

const limitMessage = `Limit must be 1-${pageLimitMax}`;

export const searchQuery = z.object({
  q: trimmedText({
    min: queryLengthMin,
    max: queryLengthMax,
    message: `Query must be ${queryLengthMin}-${queryLengthMax} characters`,
  }),
  channel_id: uuidInput("Invalid channel_id").optional(),
  before: uuidInput("Invalid before").optional(),
  // Refused outside of its bounds, unlike the limits of other lists.
  limit: z
    .string(limitMessage)
    .regex(/^\d{1,3}$/, limitMessage)
    .optional()
    .transform((value) => (value === undefined ? pageLimitDefault : Number(value)))
    .pipe(z.int().min(1, limitMessage).max(pageLimitMax, limitMessage))
    .meta({ type: "integer", minimum: 1, maximum: pageLimitMax, default: pageLimitDefault }),
});
export type SearchQuery = z.infer<typeof searchQuery>;
