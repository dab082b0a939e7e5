import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit, pageLimitDefault, pageLimitMax } from "../../http/page-limit.js";
import { searchErrors } from "./error-texts.js";
import { queryLengthMax, queryLengthMin } from "./limits.js";

export const searchQuery = z.object({
  q: trimmedText({
    min: queryLengthMin,
    max: queryLengthMax,
    message: `Query must be ${queryLengthMin}-${queryLengthMax} characters`,
  }),
  channel_id: uuidInput(searchErrors.channelId).optional(),
  before: uuidInput(searchErrors.before).optional(),
  limit: boundedLimit({ max: pageLimitMax, fallback: pageLimitDefault }),
});
export type SearchQuery = z.infer<typeof searchQuery>;
