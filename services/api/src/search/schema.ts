import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit, pageLimitDefault, pageLimitMax } from "../http/page-limit.js";
import { queryLengthMax, queryLengthMin } from "./limits.js";

export const searchQuery = z.object({
  q: trimmedText({
    min: queryLengthMin,
    max: queryLengthMax,
    message: `Query must be ${queryLengthMin}-${queryLengthMax} characters`,
  }),
  channel_id: uuidInput("Invalid channel_id").optional(),
  before: uuidInput("Invalid before").optional(),
  limit: boundedLimit({ max: pageLimitMax, fallback: pageLimitDefault }),
});
export type SearchQuery = z.infer<typeof searchQuery>;
